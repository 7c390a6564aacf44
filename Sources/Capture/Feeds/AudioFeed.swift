import CaptureAudio
import Threads
import GStreamer

/// A microphone that runs: its audio with gain and mute, corrected onto the system's clock.
final class AudioFeed: Sendable {
    let input: any DeviceInput
    let plan: AudioSourcePlan
    private let chunks = Listeners<AudioChunk>()
    private let state: Locked<State>
    private let hasSamples = AsyncSignal()

    private struct State {
        var corrector: AudioCorrector
        var gain = GainStage()
        var last: AudioChunk?
    }

    init(_ plan: AudioSourcePlan, baseTime: MediaTime) throws {
        self.plan = plan
        state = Locked(State(corrector: Self.corrector(plan)))
        let this = Handle()
        if let microphone = plan.microphone {
            input = PulseMicrophone(microphone, channels: plan.channels, baseTime: baseTime) { this.receive($0) }
        } else {
            // The device's thread must not wait for the correction: it loses audio after a fifth of a second. A test
            // source needs no correction, and loses nothing.
            let queue = PipelineDescription.Node.make(
                "queue", ["max-size-time": .int(10_000_000_000), "max-size-buffers": 0, "max-size-bytes": 0])
            let pipeline = try CaptureInput(
                name: plan.name, nodes: plan.nodes + (plan.isOnSystemClock ? [] : [queue]), baseTime: baseTime)
            _ = pipeline.listen { sample in
                guard let samples = try? sample.buffer.withBytes({ Array($0.bindMemory(to: Float.self)) }) else {
                    return
                }
                this.receive(AudioArrival(samples: samples, time: sample.time))
            }
            input = pipeline
        }
        this.input.withLock { $0.value = self }
    }

    /// Passes the microphone's samples on: the input is created before the feed exists.
    private final class Handle: Sendable {
        struct Weak { weak var value: AudioFeed? }
        let input = Locked(Weak())

        func receive(_ arrival: AudioArrival) { input.withLock({ $0.value })?.receive(arrival) }
    }

    private static func corrector(_ plan: AudioSourcePlan) -> AudioCorrector {
        AudioCorrector(
            rate: AudioSourcePlan.sampleRate, channels: plan.channels, isOnSystemClock: plan.isOnSystemClock)
    }

    /// Takes over how loud a plan says it is to be recorded.
    func setGain(of plan: AudioSourcePlan) {
        state.withLock { $0.gain.set(decibels: plan.gain, isMuted: plan.isMuted) }
    }

    /// How much faster than promised the microphone's clock runs, in parts per million.
    var drift: Double { state.withLock { $0.corrector.drift } * 1e6 }

    /// Calls the closure for each chunk, starting with the latest existing one, as a test tone is generated ahead of time.
    /// That chunk may be delivered twice.
    func listen(_ body: @escaping @Sendable (AudioChunk) -> Void) -> Int {
        state.withLock { state in
            if let last = state.last { body(last) }
            return chunks.add(body)
        }
    }

    func unlisten(_ key: Int) { chunks.remove(key) }

    /// Waits for the microphone's first samples, a second at most: longer it must not delay a recording.
    func firstSamples() async { _ = await hasSamples.wait(within: .seconds(1)) }

    private func receive(_ arrival: AudioArrival) {
        var samples = arrival.finiteSamples
        let chunk = state.withLock { state in
            // Another device has another clock: its samples start a new row at the first one's time.
            if arrival.isOtherDevice { state.corrector = Self.corrector(plan) }
            state.gain.apply(to: &samples, channels: plan.channels)
            let chunk = state.corrector.receive(samples, stamp: arrival.time)
            state.last = chunk ?? state.last
            return chunk
        }
        hasSamples.fire()
        if let chunk { chunks.send(chunk) }
    }
}
