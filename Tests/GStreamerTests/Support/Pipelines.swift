import Threads
import Foundation
import GStreamer
import Testing

/// A temporary folder with an awkward name; gone with the last reference.
final class ScratchFolder: Sendable {
    let path: String

    init(_ name: String = "folder") throws {
        path = FileManager.default.temporaryDirectory.path + "/rushes-\(UUID().uuidString)/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent) }
}

/// What came out of a pipeline.
final class Collector: Sendable {
    private let samples = Locked<[Sample]>([])
    private let ends = AsyncStream.makeStream(of: Void.self)

    init(_ sink: AppSink) {
        let end = ends.continuation
        sink.receive { [weak self] sample in
            self?.samples.withLock { $0.append(sample) }
            return true
        } onEnd: {
            end.finish()
        }
    }

    /// Waits for the end of the stream.
    func all() async -> [Sample] {
        for await _ in ends.stream {}
        return samples.withLock { $0 }
    }
}

extension PipelineDescription {
    /// Runs to the end and returns the samples of the appsink named "out".
    func run() async throws -> [Sample] {
        let pipeline = try build()
        let collector = Collector(try AppSink(#require(pipeline.bin.element(named: "out"))))
        try await pipeline.setState(.playing)
        let samples = await collector.all()
        await pipeline.stop()
        return samples
    }

    /// So many frames of 16 by 16 as fast as they come.
    static func frames(_ count: Int, _ nodes: [Node] = []) -> PipelineDescription {
        let source = Node.make("videotestsrc", name: "source", ["num-buffers": .int(count)])
        let caps = Node.caps(
            Caps("video/x-raw", ["format": "GRAY8", "width": 16, "height": 16, "framerate": .fraction(Fraction(25))]))
        return PipelineDescription([[source, caps] + nodes + [.make("appsink", name: "out", ["sync": false])]])
    }
}

extension AsyncStream where Element == BusMessage {
    /// The first message for which the closure has an answer.
    func first<Result>(_ answer: (BusMessage.Content) -> Result?) async -> Result? {
        for await message in self {
            if let result = answer(message.content) { return result }
        }
        return nil
    }
}
