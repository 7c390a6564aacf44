import GStreamer
import MovieFiles
import Synchronization
import SystemPackage

/// A QuickTime or MP4 file, written and completed by ``MovieFiles``. It is created when the first bytes come.
final class FragmentedOutputFile: MovieOutputFile {
    /// Touched by the streaming thread while the pipeline runs and by the finishing thread afterwards, under the lock.
    private struct State {
        var writer: MovieFileWriter?
        var descriptor: FileDescriptor?
        var partial: FilePath?
        var failure: (any Error)?
    }

    private let state = Mutex(State())
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
    var failure: (any Error)? { state.withLock { $0.failure } }

    func open() throws {}
    func discard() {}

    private func append(_ sample: Sample) -> Bool {
        guard let buffer = sample.buffer else { return true }
        return state.withLock { state in
            guard state.failure == nil else { return false }
            do {
                if state.writer == nil {
                    let (descriptor, partial) = try destination.create()
                    state.writer = MovieFileWriter(descriptor: descriptor, options: options)
                    (state.descriptor, state.partial) = (descriptor, partial)
                }
                try buffer.withBytes { try state.writer?.append($0) }
                bytes.add(Int64(buffer.byteCount), ordering: .relaxed)
                return true
            } catch {
                state.failure = error
                return false
            }
        }
    }

    func finish() throws -> FinishedFile {
        try state.withLock { state in
            guard let writer = state.writer, let descriptor = state.descriptor else {
                throw state.failure ?? EncodingError(.nothingRecorded, "Nothing was recorded, so there is no file.")
            }
            defer {
                (state.writer, state.descriptor) = (nil, nil)
                try? descriptor.close()
            }
            var problem: String?
            do {
                _ = try writer.finish()
            } catch {
                problem = "\(error)"
            }
            let size = (try? descriptor.seek(offset: 0, from: .end)) ?? bytesWritten
            // A replacement that is not whole does not take the old file's place.
            let path = try problem == nil ? commit(state.partial) : state.partial ?? destination.path
            return FinishedFile(path: path, size: size, isComplete: problem == nil, problem: problem)
        }
    }

    private func commit(_ partial: FilePath?) throws -> FilePath {
        if let partial { try destination.replace(by: partial) }
        return destination.path
    }
}
