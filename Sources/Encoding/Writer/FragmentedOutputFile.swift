import Threads
import GStreamer
import MovieFiles
import Synchronization
import SystemPackage

/// A QuickTime or MP4 file, written and completed by ``MovieFiles``. It is created when the first bytes come.
final class FragmentedOutputFile: MovieOutputFile {
    /// Touched by the streaming thread while the pipeline runs and by the finishing thread afterwards, under the lock.
    private struct State {
        var writer: MovieFileWriter?
        var created: MovieDestination.Created?
        var isFinished = false
    }

    private let state = Locked(State())
    /// Apart from the state, so that who asks never waits for a disk.
    private let firstFailure = Locked<(any Error)?>(nil)
    private let bytes = Atomic<Int64>(0)
    private let destination: MovieDestination
    private let options: MovieFileWriter.Options

    init(
        _ sink: AppSink, destination: MovieDestination, options: MovieFileWriter.Options,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.destination = destination
        self.options = options
        sink.receive(onSample: { [weak self] in self?.append($0) ?? false }, onEnd: onEnd)
    }

    var bytesWritten: Int64 { bytes.load(ordering: .relaxed) }
    var failure: (any Error)? { firstFailure.withLock { $0 } }

    func open() throws {}

    func discard() {
        state.withLock { state in
            state.isFinished = true
            // A muxer that is told of the end before it had any data may write a head all the same.
            guard let created = state.created else { return }
            (state.writer, state.created) = (nil, nil)
            created.remove()
            try? created.descriptor.close()
        }
    }

    private func append(_ sample: Sample) -> Bool {
        guard let buffer = sample.buffer else { return true }
        do {
            return try state.withLock { state in
                // An encoder that was given up may still hand something out; the file is closed by then.
                guard !state.isFinished, failure == nil else { return false }
                if state.writer == nil {
                    let created = try destination.create()
                    state.writer = MovieFileWriter(descriptor: created.descriptor, options: options)
                    state.created = created
                }
                try buffer.withBytes { try state.writer?.append($0) }
                bytes.add(Int64(buffer.byteCount), ordering: .relaxed)
                return true
            }
        } catch {
            firstFailure.withLock { $0 = $0 ?? error }
            return false
        }
    }

    func finish(chapters: [MovieInfo.Chapter], isWhole: Bool) throws -> FinishedFile {
        try state.withLock { state in
            state.isFinished = true
            guard let writer = state.writer, let created = state.created else { throw failure ?? nothingRecorded }
            (state.writer, state.created) = (nil, nil)
            writer.chapters += chapters
            var problem = failure.map { "\($0)" }
            var isComplete = true
            do {
                _ = try writer.finish()
            } catch MovieFileError.noSamples {
                // A head without a picture or a sound is of no use to anybody.
                created.remove()
                try? created.descriptor.close()
                throw nothingRecorded
            } catch {
                (isComplete, problem) = (false, problem ?? "\(error)")
            }
            let size = (try? created.descriptor.seek(offset: 0, from: .end)) ?? bytesWritten
            if let reason = putAway(created.descriptor, synchronizing: false) {
                (isComplete, problem) = (false, problem ?? "Closing the movie failed: \(reason).")
            }
            // A replacement that is not whole does not take the old file's place.
            let path = try isComplete ? created.commit() : created.path
            return FinishedFile(path: path, size: size, isComplete: isComplete, problem: problem)
        }
    }
}
