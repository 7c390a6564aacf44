import GStreamer
import Synchronization

/// A device's running pipeline: from its source to Swift, which gets each sample with its running time.
///
/// It lives by itself: what happens to it, another input or a take never feels.
final class CaptureInput: Sendable {
    /// What the device is called in messages.
    let name: String
    private let pipeline: Pipeline
    private let lastArrival = Atomic<Nanoseconds>(0)
    private let samples = Listeners<TimedSample>()

    /// A sample with its running time in the session, in nanoseconds.
    struct TimedSample: Sendable {
        let buffer: Buffer
        let caps: Caps
        let time: Nanoseconds
    }

    /// - Parameters:
    ///   - nodes: from the source up to what is handed over.
    ///   - baseTime: the system clock's time that is the session's time zero.
    /// - Throws: ``GStreamerError`` if an element is missing or refuses a setting.
    init(name: String, nodes: [PipelineDescription.Node], baseTime: Nanoseconds) throws {
        self.name = name
        // Neither waiting for a clock nor for a first buffer: samples are handed over as they come.
        let end = PipelineDescription.Node.make("appsink", name: "out", ["sync": false, "async": false, "max-buffers": 0])
        pipeline = try PipelineDescription([nodes + [end]]).build(name: "input")
        pipeline.useSystemClock(baseTime: baseTime)
        guard let out = pipeline.bin.element(named: "out") else {
            throw GStreamerError(element: name, message: "the pipeline has no end")
        }
        try AppSink(out).receive(
            onSample: { [weak self] sample in
                guard let self, let time = sample.runningTime, let buffer = sample.buffer, let caps = sample.caps else {
                    return true
                }
                lastArrival.store(Pipeline.systemTime, ordering: .relaxed)
                samples.send(TimedSample(buffer: buffer, caps: caps, time: time))
                return true
            }, onEnd: {})
    }

    /// Opens the device and lets it flow.
    ///
    /// - Throws: ``GStreamerError``: what the device or its server said.
    func start(within seconds: Double = 5) async throws {
        lastArrival.store(Pipeline.systemTime, ordering: .relaxed)
        do {
            try await pipeline.setState(.playing, within: seconds)
        } catch {
            await stop()
            throw error
        }
    }

    func stop() async { await pipeline.stop(within: 2) }

    /// Calls the closure for each sample, on the device's streaming thread.
    func listen(_ body: @escaping @Sendable (TimedSample) -> Void) -> Int { samples.add(body) }
    func unlisten(_ key: Int) { samples.remove(key) }

    /// Nanoseconds since the last sample came, or since the start if none has.
    var silence: Nanoseconds { max(0, Pipeline.systemTime - lastArrival.load(ordering: .relaxed)) }

    /// Why the device stopped, or `nil` while all is well.
    var failure: GStreamerError? { pipeline.bus.failure }
    func messages() -> AsyncStream<BusMessage> { pipeline.bus.messages() }
}
