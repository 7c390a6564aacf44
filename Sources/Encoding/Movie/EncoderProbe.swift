import Threads
package import GStreamer

/// Tries whether an encoder really opens here: a hardware encoder can be installed and yet have no driver, no free
/// session, or no such size.
package enum EncoderProbe {
    /// Encodes one black frame.
    ///
    /// - Parameters:
    ///   - nodes: converters, encoder and parser.
    ///   - caps: what the frames will be.
    /// - Returns: what kept it from opening, or `nil` if it works.
    package static func failure(
        of nodes: [PipelineDescription.Node], caps: Caps, within limit: Duration = .seconds(3)
    ) async -> String? {
        let source: [PipelineDescription.Node] = [
            .make("videotestsrc", ["num-buffers": 1, "pattern": "black"]), .caps(caps),
        ]
        let sink = PipelineDescription.Node.make("fakesink", ["sync": false, "async": false])
        do {
            let pipeline = try PipelineDescription([source + nodes + [sink]]).build(name: "probe")
            let outcome = AsyncSignal()
            let messages = pipeline.bus.messages()
            let watch = Task {
                for await message in messages {
                    switch message.content {
                    case .endOfStream, .error: outcome.fire()
                    default: break
                    }
                }
            }
            defer { watch.cancel() }
            try await pipeline.setState(.playing, within: limit)
            let isDone = await outcome.wait(within: limit)
            let failure = pipeline.bus.failure
            await pipeline.stop(within: .seconds(1))
            return failure?.message ?? (isDone ? nil : "it does not respond")
        } catch let error as GStreamerError {
            return error.message
        } catch {
            return "\(error)"
        }
    }
}
