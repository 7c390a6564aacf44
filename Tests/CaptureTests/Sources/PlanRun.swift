import Capture
import GStreamer
import Synchronization
import TestSupport
import Testing

/// What a plan delivered when it ran for a while on the system's clock.
struct PlanRun: Sendable {
    struct Arrival: Sendable {
        /// Running time of the buffer, and of the system's clock when it arrived, in nanoseconds.
        var time: MediaTime
        var arrival: MediaTime
        var duration: MediaTime?
        var bytes: Int
    }

    var arrivals: [Arrival] = []
    var caps: Caps?

    /// Runs the nodes into an appsink until `count` buffers have come or the time is up.
    init(_ nodes: [PipelineDescription.Node], count: Int, within seconds: Double = 120, startsNow: Bool = false)
        async throws
    {
        let sinkNode = PipelineDescription.Node.make("appsink", name: "out", ["sync": false, "async": false])
        let pipeline = try PipelineDescription([nodes + [sinkNode]]).build()
        // A session has been running for a while when a device is added to it.
        let base = Pipeline.systemTime - (startsNow ? 0 : 3 * .second)
        pipeline.useSystemClock(baseTime: base)
        let element = try #require(pipeline.bin.element(named: "out"))
        let sink = try AppSink(element)
        let (arrived, continuation) = AsyncStream.makeStream(of: (Arrival, Caps?).self)
        sink.receive { sample in
            let now = Pipeline.systemTime - base
            guard let buffer = sample.buffer, let time = sample.runningTime else { return true }
            let arrival = Arrival(time: time, arrival: now, duration: buffer.duration, bytes: buffer.byteCount)
            continuation.yield((arrival, sample.caps))
            return true
        } onEnd: {
            continuation.finish()
        }
        let messages = pipeline.bus.messages()
        let watcher = Task {
            for await message in messages { if case .error = message.content { continuation.finish() } }
        }
        let limit = Task {
            try? await Task.sleep(for: .seconds(seconds))
            continuation.finish()
        }
        try await pipeline.setState(.playing)
        for await (arrival, caps) in arrived {
            arrivals.append(arrival)
            self.caps = caps
            if arrivals.count >= count { break }
        }
        limit.cancel()
        watcher.cancel()
        let failure = pipeline.bus.failure
        _ = await pipeline.stop()
        if let failure { throw failure }
    }
}
