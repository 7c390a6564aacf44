import GStreamer
import Testing

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
        try await pipeline.setState(.playing, within: 30)
        for await message in messages {
            if case .error(let error) = message.content {
                await pipeline.stop()
                throw error
            }
            if case .endOfStream = message.content { break }
        }
        await pipeline.stop()
    }
}
