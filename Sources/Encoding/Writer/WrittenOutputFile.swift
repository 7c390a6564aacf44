import Errors
import FileSystem
import GStreamer
import MediaTypes
import MovieFiles
import Synchronization
import SystemPackage
import Threads

/// A movie's file, written and completed by ``MovieFiles``, whatever its container.
final class WrittenOutputFile: MovieOutputFile {
    /// Touched by the streaming thread while the pipeline runs and by the finishing thread afterwards, under the lock.
    private struct State {
        var writer: (any MovieBytesWriter)?
        var descriptor: FileDescriptor?
        /// What was written last, where it can be read back.
        var mark: EndMark?
        var isFinished = false
    }

    private let state = Locked(State())
    /// Apart from the state, so that who asks never waits for what is being written.
    private let created = Locked<MovieDestination.Created?>(nil)
    /// The complete file, until its end is told.
    private let complete = Locked<(file: CompleteFile, path: FilePath)?>(nil)
    private let kept = Atomic<Int64>(0)
    private let firstFailure = Locked<(any Error)?>(nil)
    private let bytes = Atomic<Int64>(0)
    private let hasSamples = Atomic(false)
    /// What writes and syncs take; the latter once there is a writer.
    private let writes = DiskDelay()
    private let syncs = Locked<DiskDelay?>(nil)
    private let frames = Atomic<Int>(0)
    private let destination: MovieDestination
    private let makeWriter: @Sendable (FileDescriptor) throws -> any MovieBytesWriter

    init(
        _ sink: AppSink, destination: MovieDestination, onEnd: @escaping @Sendable () -> Void,
        writer: @escaping @Sendable (FileDescriptor) throws -> any MovieBytesWriter
    ) {
        self.destination = destination
        makeWriter = writer
        sink.receive(onSample: { [weak self] in self?.append($0) ?? false }, onEnd: onEnd)
    }

    var bytesWritten: Int64 { bytes.load(ordering: .relaxed) }
    /// Frames that were written past the muxer.
    var framesWritten: Int { frames.load(ordering: .relaxed) }
    var failure: (any Error)? { firstFailure.withLock { $0 } }
    var holdsSamples: Bool { hasSamples.load(ordering: .relaxed) }
    var diskDelay: MediaTime { max(writes.duration, syncs.withLock { $0 }?.duration ?? .zero) }
    var path: FilePath? { created.withLock { $0?.path } }
    var keptBytes: Int64 { kept.load(ordering: .relaxed) }
    /// Blocks as long as the disk does, and nobody else.
    var whereabouts: FileWhereabouts { askDisk { $0.whereabouts } ?? .here }

    /// Blocks as long as the disk does, and nobody else.
    var freeBytes: Int64? { askDisk { freeSpace($0.descriptor) } ?? nil }

    /// What is asked of a file that is closed meanwhile, and whose number may be another's then, is not answered.
    private func askDisk<Value>(_ question: (MovieDestination.Created) -> Value) -> Value? {
        guard let file = created.withLock({ $0 }) else { return nil }
        let answer = question(file)
        return created.withLock { $0 != nil } ? answer : nil
    }

    func open() throws {
        let new = try destination.create()
        do {
            let delay = try state.withLock { state in
                let writer = try makeWriter(new.descriptor)
                (state.writer, state.descriptor) = (writer, new.descriptor)
                return writer.syncs
            }
            syncs.withLock { $0 = delay }
        } catch {
            try? new.descriptor.close()
            throw error
        }
        created.withLock { $0 = new }
    }

    func discard() {
        state.withLock { state in
            state.isFinished = true
            state.writer = nil
            // A muxer that is told of the end before it had any data may write a head all the same.
            guard let created = takeCreated() else { return }
            created.remove()
            try? created.descriptor.close()
        }
    }

    private func append(_ sample: Sample) -> Bool {
        guard let buffer = sample.buffer else { return true }
        return write { writer in
            guard let file = writer as? AudioFileWriter else {
                return try buffer.withBytes { try writer.append($0, at: buffer.offset) }
            }
            if !file.isDescribed {
                try file.describe(sample.caps?.pcmFormat ?? PCMFormat(sampleRate: 48_000, channels: 0, bits: 0))
            }
            try buffer.withBytes { try file.append($0, lasting: buffer.duration) }
        }
    }

    /// Writes an encoded frame past the muxer, with its time in this file. False if the file takes no more.
    func append(frame: Buffer, at time: MediaTime, duration: MediaTime) -> Bool {
        let isWritten = write { writer in
            try frame.withBytes {
                try (writer as? MovieFileWriter)?.append(
                    frame: $0, at: time, duration: duration, isKeyFrame: frame.isKeyFrame)
            }
        }
        if isWritten { frames.add(1, ordering: .relaxed) }
        return isWritten
    }

    func describe(codecData: [UInt8]) {
        _ = write { writer in try (writer as? MovieFileWriter)?.describe(codecData: codecData) }
    }

    private func write(_ body: (any MovieBytesWriter) throws -> Void) -> Bool {
        do {
            return try state.withLock { state in
                // An encoder that was given up may still hand something out; the file is closed by then.
                guard !state.isFinished, failure == nil, let writer = state.writer else { return false }
                try expectOwn(state)
                defer {
                    bytes.store(Int64(clamping: writer.bytesWritten), ordering: .relaxed)
                    if !holdsSamples { hasSamples.store(writer.holdsSamples, ordering: .relaxed) }
                    state.mark = state.descriptor.flatMap { EndMark($0, end: writer.bytesWritten) }
                }
                writes.start()
                defer { writes.finish() }
                try body(writer)
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
            // It is told where the file is as long as it is not complete; first nobody is, then it is closed.
            defer { try? takeCreated()?.descriptor.close() }
            guard let writer = state.writer, var created = created.withLock({ $0 }) else {
                throw failure ?? nothingRecorded
            }
            state.writer = nil
            try expectOwn(state)
            // Before the index: of a movie in fragments each part that is kept plays.
            var fault = try created.settle(noteKept) ?? failure.map { .init(writing: $0) }
            var problem: String?
            var cause: (any Error)? = failure
            let movie: FinishedMovie
            do {
                movie = try writer.finish(chapters: chapters, isWhole: isWhole && failure == nil)
                cause = cause ?? movie.shortage
                fault = fault ?? movie.shortage.map { .init(writing: $0) }
            } catch MovieFileError.noSamples {
                // A head without samples is of no use.
                created.remove()
                throw nothingRecorded
            } catch {
                (movie, problem, cause) = (writer.unfinished, "\(error)", cause ?? error)
                fault = fault ?? .init(writing: error)
            }
            fault = try created.settle(noteKept) ?? fault
            let size = (try? created.descriptor.seek(offset: 0, from: .end)) ?? bytesWritten
            _ = takeCreated()
            let named = created.isNamed ? CompleteFile(created.descriptor) : nil
            // Networks and file systems of other programs tell some errors only now.
            do { try created.descriptor.close() } catch {
                problem = problem ?? "Closing the movie failed: \(error)."
            }
            // A replacement that is not whole does not take the old file's place.
            let isShort = if case .writing = fault { true } else { false }
            if problem == nil, !isShort, let words = created.commit() { fault = fault ?? .lost(words) }
            let path = created.path
            complete.withLock { $0 = named.map { ($0, path) } }
            return FinishedFile(
                path: path, size: size, frames: movie.frameCount, audioTracks: movie.audioTrackCount,
                duration: movie.duration, isComplete: problem == nil, fault: fault,
                isDiskFull: cause.map(WritingFault.isDiskFull) ?? false, problem: problem)
        }
    }

    func settle() throws -> SettledFile? {
        let last = complete.withLock { complete in
            defer { complete = nil }
            return complete
        }
        guard let last else { return nil }
        return try last.file.settle(last.path, noteKept)
    }

    private func noteKept(_ bytes: UInt64) { kept.store(Int64(clamping: bytes), ordering: .relaxed) }

    /// Sees to it that nobody else has written to the file: what follows in theirs would harm it, and make no movie.
    private func expectOwn(_ state: State) throws(RushesError) {
        guard let file = state.descriptor, let mark = state.mark, !mark.isThere(in: file) else { return }
        let path = self.path ?? destination.path
        throw RushesError(
            .writeFailed, on: path.string,
            "\(path) was cut off or overwritten by another program while it was being recorded; what was recorded until then is lost."
        )
    }

    private func takeCreated() -> MovieDestination.Created? {
        created.withLock { created in
            defer { created = nil }
            return created
        }
    }
}
