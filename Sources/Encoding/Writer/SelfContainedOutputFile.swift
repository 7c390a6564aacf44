import GStreamer
import Synchronization
import SystemPackage

/// A file that its muxer completes by itself (Matroska, WebM), through a descriptor that this layer opened.
final class SelfContainedOutputFile: MovieOutputFile {
    private struct State {
        var descriptor: FileDescriptor?
        var partial: FilePath?
    }

    private let state = Mutex(State())
    private let bytes = Atomic<Int64>(0)
    private let sink: Element
    private let destination: MovieDestination

    init(_ sink: Element, destination: MovieDestination, onEnd: @escaping @Sendable () -> Void) {
        self.sink = sink
        self.destination = destination
        guard let pad = sink.pad("sink") else { return }
        _ = pad.addBufferProbe { [weak self] buffer in
            self?.bytes.add(Int64(buffer.byteCount), ordering: .relaxed)
            return .pass
        }
        _ = pad.addEndOfStreamProbe {
            onEnd()
            return .pass
        }
    }

    var bytesWritten: Int64 { bytes.load(ordering: .relaxed) }
    var failure: (any Error)? { nil }

    func open() throws {
        let (descriptor, partial) = try destination.create()
        state.withLock { $0 = State(descriptor: descriptor, partial: partial) }
        try sink.set("fd", to: .int(Int(descriptor.rawValue)))
    }

    func discard() {
        state.withLock { state in
            guard let descriptor = state.descriptor else { return }
            state.descriptor = nil
            try? descriptor.close()
            if bytesWritten == 0 { removeFile(state.partial ?? destination.path) }
        }
    }

    func finish() throws -> FinishedFile {
        try state.withLock { state in
            guard let descriptor = state.descriptor else {
                throw EncodingError(.nothingRecorded, "Nothing was recorded, so there is no file.")
            }
            state.descriptor = nil
            synchronize(descriptor)
            let size = (try? descriptor.seek(offset: 0, from: .end)) ?? bytesWritten
            try? descriptor.close()
            guard size > 0 else {
                removeFile(state.partial ?? destination.path)
                throw EncodingError(.nothingRecorded, "Nothing was recorded, so there is no file.")
            }
            if let partial = state.partial { try destination.replace(by: partial) }
            return FinishedFile(path: destination.path, size: size, isComplete: true)
        }
    }
}
