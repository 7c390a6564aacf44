import GStreamer
import Testing
import Threads

/// A chain of elements that is run to its end.
enum Chain {
    /// - Parameter take: gets each sample that comes out, on the streaming thread.
    /// - Throws: what an element reported.
    static func run(
        _ nodes: [PipelineDescription.Node], _ take: @escaping @Sendable (Sample) -> Void
    ) async throws {
        let end = PipelineDescription.Node.make("appsink", name: "end", ["sync": false])
        let pipeline = try PipelineDescription([nodes + [end]]).build()
        let sink = try AppSink(#require(pipeline.bin.element(named: "end")))
        sink.receive(
            onSample: { sample in
                take(sample)
                return true
            }, onEnd: {})
        let messages = pipeline.bus.messages()
        try await pipeline.setState(.playing, within: .seconds(120))
        for await message in messages {
            if case .error(let error) = message.content {
                await pipeline.stop()
                throw error
            }
            if case .endOfStream = message.content { break }
        }
        await pipeline.stop()
    }

    struct Frame: Sendable {
        var time: MediaTime?
        var caps: Structure?
        var bytes: [UInt8]
    }

    /// What comes out of a chain.
    static func frames(_ nodes: [PipelineDescription.Node]) async throws -> [Frame] {
        let found = Locked<[Frame]>([])
        try await run(nodes) { sample in
            let bytes = try? sample.buffer?.withBytes { Array($0) }
            found.withLock {
                $0.append(Frame(time: sample.buffer?.presentationTime, caps: sample.caps?.first, bytes: bytes ?? []))
            }
        }
        return found.withLock { $0 }
    }
}
