import GStreamer
import MovieFiles
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

    func open() throws { try sink.set("fd", to: .int(Int(descriptor.rawValue))) }
    func discard() {}

    func finish(chapters: [MovieInfo.Chapter], isWhole: Bool) throws -> FinishedFile {
        let size = try descriptor.seek(offset: 0, from: .end)
        guard size > 0 else { throw nothingRecorded }
        return FinishedFile(path: "", size: size, isComplete: true)
    }
}
