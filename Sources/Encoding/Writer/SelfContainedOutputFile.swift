import Threads
import GStreamer
import MovieFiles
import SystemPackage

/// A file that its muxer completes by itself (Matroska, WebM), through a descriptor that this layer opened.
final class SelfContainedOutputFile: MovieOutputFile {
    private let created = Locked<MovieDestination.Created?>(nil)
    private let counter: SinkCounter
    private let sink: Element
    private let destination: MovieDestination

    init(_ sink: Element, destination: MovieDestination, onEnd: @escaping @Sendable () -> Void) {
        self.sink = sink
        self.destination = destination
        counter = SinkCounter(sink, onEnd: onEnd)
    }

    var bytesWritten: Int64 { counter.bytes }
    var failure: (any Error)? { nil }

    func open() throws {
        let created = try destination.create()
        self.created.withLock { $0 = created }
        do {
            try sink.set("fd", to: .int(Int(created.descriptor.rawValue)))
        } catch {
            discard()
            throw error
        }
    }

    func discard() {
        guard let created = take() else { return }
        created.remove()
        try? created.descriptor.close()
    }

    func finish(chapters: [MovieInfo.Chapter], isWhole: Bool) throws -> FinishedFile {
        guard let created = take() else { throw nothingRecorded }
        let size = (try? created.descriptor.seek(offset: 0, from: .end)) ?? bytesWritten
        guard size > 0 else {
            created.remove()
            try? created.descriptor.close()
            throw nothingRecorded
        }
        let problem = putAway(created.descriptor).map { "Putting the movie on the disk failed: \($0)." }
        // Players do without the muxer's last word, the length and the index; but what may end in the middle of a picture takes
        // no old file's place.
        let isComplete = problem == nil
        return FinishedFile(
            path: try isComplete && isWhole ? created.commit() : created.path, size: size, isComplete: isComplete,
            problem: problem)
    }

    private func take() -> MovieDestination.Created? {
        created.withLock { created in
            defer { created = nil }
            return created
        }
    }
}
