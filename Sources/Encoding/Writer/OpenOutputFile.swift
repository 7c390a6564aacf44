import GStreamer
import MovieFiles
import Synchronization
import SystemPackage

/// A file that somebody else opened, and keeps or throws away.
final class OpenOutputFile: MovieOutputFile {
    private let counter: SinkCounter
    private let sink: Element
    private let descriptor: FileDescriptor

    init(_ sink: Element, _ descriptor: FileDescriptor, onEnd: @escaping @Sendable () -> Void) {
        (self.sink, self.descriptor) = (sink, descriptor)
        counter = SinkCounter(sink, onEnd: onEnd)
    }

    var bytesWritten: Int64 { counter.bytes }
    var failure: (any Error)? { nil }
    var holdsSamples: Bool { bytesWritten > 0 }

    func open() throws { try sink.set("fd", to: .int(Int(descriptor.rawValue))) }
    func discard() {}

    func finish(chapters: [MovieInfo.Chapter], isWhole: Bool) throws -> FinishedFile {
        let size = try descriptor.seek(offset: 0, from: .end)
        guard size > 0 else { throw nothingRecorded }
        return FinishedFile(path: "", size: size, isComplete: true)
    }
}

/// What has reached an element that writes a file by itself: how many bytes, and whether that was all.
final class SinkCounter: Sendable {
    private let count = Atomic<Int64>(0)

    init(_ sink: Element, onEnd: @escaping @Sendable () -> Void) {
        guard let pad = sink.pad("sink") else { return }
        _ = pad.addBufferProbe { [weak self] buffer in
            self?.count.add(Int64(buffer.byteCount), ordering: .relaxed)
            return .pass
        }
        _ = pad.addEndOfStreamProbe {
            onEnd()
            return .pass
        }
    }

    var bytes: Int64 { count.load(ordering: .relaxed) }
}
