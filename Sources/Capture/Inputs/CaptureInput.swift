import Encoding
import GStreamer
import Logging
import Synchronization
import Threads
import Workarounds

/// A device's running pipeline: from its source to Swift, which gets each sample with its running time.
///
/// It is isolated: an error or a stall here affects neither another device nor a recording.
final class CaptureInput: Sendable {
    /// What the device is called in messages.
    let name: String
    private let pipeline: Pipeline
    private let watch: ArrivalWatch
    private let ended = Atomic(false)
    /// Its final state, once the session has closed it; `nil` before.
    private let closed = Locked<FeedState?>(nil)
    private let samples = Listeners<TimedSample>()
    private let losses = Listeners<Loss>()

    /// A sample with its running time in the session.
    struct TimedSample: Sendable {
        let buffer: Buffer
        let caps: Caps
        var time: MediaTime
        /// The camera's own JPEG of a frame that was decoded, in memory of its own.
        var original: Buffer?
        /// The camera's own count of it; `nil` where it is not known.
        var number: FrameNumber?
        /// Whether another camera gave it while the main one said nothing: on a rhythm that the main one did not promise.
        var isStandIn = false
        /// How many compressed samples, frames or fields, may come before one that is shown before them, as the stream's own headers say.
        var reorderedSamples = 0
        var isReordered: Bool { reorderedSamples > 0 }
    }

    /// What the device itself has lost: v4l2src tells it of gaps in the driver's count.
    struct Loss: Sendable {
        /// Running time of the sample that came then.
        let time: MediaTime
        let duration: MediaTime
    }

    /// - Parameters:
    ///   - nodes: from the source up to what is handed over.
    ///   - baseTime: the system clock's time that is the session's time zero.
    ///   - arrivals: for frames that are stamped as they arrive; `nil` leaves the stamps alone.
    ///   - timeout: how long no sample may come before the device counts as lost.
    ///   - gate: drops samples before they are decoded, at the element that ``VideoSourcePlan/gate`` names.
    ///   - keepsOriginals: whether a JPEG that passes that element is handed over with the frame decoded from it.
    ///   - isEncoded: whether the samples are a camera's own compressed stream.
    ///   - isNumbered: whether the samples' offsets are a device's own count of its frames.
    /// - Throws: ``GStreamerError`` if an element is missing or refuses a setting.
    init(
        name: String, nodes: [PipelineDescription.Node], baseTime: MediaTime,
        arrivals: ArrivalTimes<TimedSample>? = nil,
        timeout: MediaTime = ArrivalWatch.stall, gate: FrameGate? = nil, keepsOriginals: Bool = false,
        isEncoded: Bool = false, isNumbered: Bool = false
    ) throws {
        self.name = name
        watch = ArrivalWatch(timeout: timeout)
        // Neither waiting for a clock nor for a first buffer: samples are handed over as they come.
        let end = PipelineDescription.Node.make(
            "appsink", name: "out",
            // A buffer that is kept could not be drawn into, and not go back to its device.
            ["sync": false, "async": false, "max-buffers": 0, "enable-last-sample": false])
        pipeline = try PipelineDescription([nodes + [end]]).build(name: "input")
        pipeline.useSystemClock(baseTime: baseTime)
        pipeline.raiseThreads(to: .transfer)
        guard let out = pipeline.bin.element(named: "out") else {
            throw GStreamerError(element: name, message: "the pipeline has no end")
        }
        let delay = Locked(MediaTime.zero)
        let arrivals = arrivals.map { Locked($0) }
        let reorderedSamples = Locked<Int?>(nil)
        let originals = keepsOriginals ? OriginalFrames() : nil
        try AppSink(out).receive(
            onSample: { [weak self] sample in
                guard let self, let buffer = sample.buffer, let caps = sample.caps else { return true }
                let arrival = Pipeline.systemTime
                watch.note(arrival, caps)
                // A sample without a timestamp is assumed to have the same delay as the previous sample.
                let time = sample.runningTime ?? arrival - baseTime - delay.withLock { $0 }
                delay.withLock { $0 = arrival - baseTime - time }
                let original = originals?.original(of: buffer)
                // Decoders do not pass the count on.
                let number = isNumbered || original != nil ? (original ?? buffer).offset : nil
                // Who comes to a network camera amid a group is told by the first sample, and may record before a key frame tells it.
                if isEncoded, buffer.isKeyFrame || reorderedSamples.withLock({ $0 == nil }),
                    let told = buffer.reorderedSamplesOfH264(caps)
                {
                    reorderedSamples.withLock { $0 = told }
                }
                let frame = TimedSample(
                    buffer: buffer, caps: caps, time: time, original: original,
                    number: number.map { FrameNumber(value: $0) },
                    reorderedSamples: reorderedSamples.withLock { $0 } ?? 0)
                if let arrivals {
                    send(arrivals.withLock { $0.receive(frame, stamp: time) })
                } else {
                    samples.send(frame)
                }
                return true
            },
            onEnd: { [weak self] in
                if let arrivals { self?.send(arrivals.withLock { $0.flush() }) }
                self?.ended.store(true, ordering: .relaxed)
            })
        attach(gate, originals, baseTime)
        reportLosses(baseTime)
    }

    /// Drops samples and keeps originals before the decoder.
    private func attach(_ gate: FrameGate?, _ originals: OriginalFrames?, _ baseTime: MediaTime) {
        let pad = pipeline.bin.element(named: VideoSourcePlan.gate)?.pad("sink")
        if let gate {
            _ = pad?.addBufferProbe { [weak self] buffer in
                let arrival = Pipeline.systemTime
                self?.watch.note(arrival)
                return gate.passes(buffer.presentationTime ?? arrival - baseTime) ? .pass : .drop
            }
        }
        if let originals {
            _ = pad?.addBufferProbe { buffer in
                originals.keep(buffer)
                return .pass
            }
        }
    }

    private func reportLosses(_ baseTime: MediaTime) {
        let messages = pipeline.bus.messages()
        // Ends with the pipeline.
        Task { [weak self] in
            for await message in messages {
                guard case .qualityOfService(let duration?, let time) = message.content else { continue }
                self?.losses.send(Loss(time: time ?? Pipeline.systemTime - baseTime, duration: duration))
            }
        }
    }

    private func send(_ frames: [(frame: TimedSample, time: MediaTime)]) {
        for (frame, time) in frames {
            var frame = frame
            frame.time = time
            samples.send(frame)
        }
    }

    /// Opens the device and lets it flow.
    ///
    /// - Throws: ``GStreamerError``: what the device or its server said. Then nothing is left open.
    func start(within limit: Duration = .seconds(5)) async throws {
        watch.note(Pipeline.systemTime)
        do {
            try await pipeline.setState(.playing, within: limit)
            log.debug("device runs", metadata: ["device": "\(name)"])
        } catch {
            await stop()
            throw error
        }
    }

    func end(as state: FeedState) { closed.withLock { $0 = $0 ?? state } }

    /// Closes the device. A driver or server that blocks for more than a second is left to a thread of its own.
    ///
    /// - Returns: whether it is closed.
    func close() async -> Bool {
        end(as: .ended)
        return await pipeline.stop(within: .seconds(1))
    }

    func stop() async { _ = await close() }

    /// Calls the closure for each sample, on the device's streaming thread.
    func listen(_ body: @escaping @Sendable (TimedSample) -> Void) -> Int { samples.add(body) }
    func unlisten(_ key: Int) { samples.remove(key) }
    /// Calls the closure for each loss, from any thread.
    func listenForLosses(_ body: @escaping @Sendable (Loss) -> Void) -> Int { losses.add(body) }

    var state: FeedState {
        if let closed = closed.withLock({ $0 }) { return closed }
        if let failure = pipeline.bus.failure { return .lost(failure.message) }
        if hasEnded { return .lost("its stream ended") }
        return watch.state
    }

    /// Whether no sample has come for so long.
    func isSilent(for duration: MediaTime) -> Bool { watch.isSilent(for: duration) }

    /// Whether its stream has come to an end of its own.
    var hasEnded: Bool { ended.load(ordering: .relaxed) }

    /// What the device reported first, or `nil`.
    var failure: GStreamerError? { pipeline.bus.failure }

    func messages() -> AsyncStream<BusMessage> { pipeline.bus.messages() }
}

/// A camera's own count of its frames, as its driver gives it: a number that is left out was lost before it came here, and a frame
/// that is only late has its own.
struct FrameNumber: Sendable, Equatable {
    /// Which opening of which camera counts: each begins anew.
    var opening = 0
    let value: UInt64
}
