public import GStreamer

/// Tries a source without keeping it: whether it is there, free, allowed, and delivers anything.
public enum SourceProbe {
    /// Opens a planned source, waits for its first sample, and closes it again.
    ///
    /// A camera that is in use refuses only when its format is set, which happens after the change to playing: so the
    /// first sample is waited for, and not a state.
    /// - Parameters:
    ///   - nodes: those of a ``VideoSourcePlan`` or ``AudioSourcePlan``.
    ///   - name: what the source is called in the error.
    ///   - seconds: the longest wait.
    /// - Throws: ``CaptureError``: why it cannot be opened, with the cure.
    public static func check(
        _ nodes: [PipelineDescription.Node], name: String, within seconds: Double = 5
    ) async throws {
        do {
            let sink = PipelineDescription.Node.make("fakesink", ["num-buffers": 1, "sync": false, "async": false])
            let pipeline = try PipelineDescription([nodes + [sink]]).build(name: "probe")
            let messages = pipeline.bus.messages()
            do {
                try await pipeline.setState(.playing, within: seconds)
            } catch {
                await pipeline.stop(within: 2)
                throw error
            }
            let came = await Deadline.value(within: seconds) { await Self.hasEnded(messages) }
            let failure = pipeline.bus.failure
            await pipeline.stop(within: 2)
            if let failure { throw failure }
            guard came == true else {
                throw CaptureError(
                    .deviceSilent,
                    "\(name) gives nothing within \(Int(seconds)) seconds; is it in use, covered or unplugged?")
            }
        } catch let error as GStreamerError {
            throw CaptureError(opening: name, error)
        }
    }

    /// Whether the sink has got its one sample and ended; false after an error.
    private static func hasEnded(_ messages: AsyncStream<BusMessage>) async -> Bool {
        for await message in messages {
            switch message.content {
            case .endOfStream: return true
            case .error: return false
            default: continue
            }
        }
        return false
    }
}
