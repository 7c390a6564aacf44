import Threads
import GStreamer

/// A microphone that runs: its sound with gain and mute, corrected onto the system's clock.
final class SoundInput: Sendable {
    let input: CaptureInput
    let plan: AudioSourcePlan
    private let chunks = Listeners<SoundChunk>()
    private let state: Locked<State>
    private let speaks = AsyncSignal()

    private struct State {
        var corrector: SoundCorrector
        var gain = GainStage()
        var last: SoundChunk?
    }

    init(_ plan: AudioSourcePlan, baseTime: Nanoseconds) throws {
        self.plan = plan
        // The device's thread must not wait for the correction: it loses sound after a fifth of a second. A test source
        // needs no correction, and loses nothing.
        let queue = PipelineDescription.Node.make(
            "queue", ["max-size-time": .int(10_000_000_000), "max-size-buffers": 0, "max-size-bytes": 0])
        input = try CaptureInput(
            name: plan.name, nodes: plan.nodes + (plan.isOnSystemClock ? [] : [queue]), baseTime: baseTime)
        state = Locked(
            State(
                corrector: SoundCorrector(
                    rate: AudioSourcePlan.sampleRate, channels: plan.channels, isOnSystemClock: plan.isOnSystemClock)))
        _ = input.listen { [weak self] in self?.receive($0) }
    }

    /// Amplification in decibels, and silence.
    func set(gain decibels: Double, isMuted: Bool) {
        state.withLock { $0.gain.set(decibels: decibels, isMuted: isMuted) }
    }

    /// How much faster than promised the microphone's clock runs, in parts per million.
    var drift: Double { state.withLock { $0.corrector.drift } * 1e6 }

    /// Calls the closure for each chunk, beginning with the last one that there was, which a tone makes ahead of its time.
    /// That one may come twice.
    func listen(_ body: @escaping @Sendable (SoundChunk) -> Void) -> Int {
        state.withLock { state in
            if let last = state.last { body(last) }
            return chunks.add(body)
        }
    }

    func unlisten(_ key: Int) { chunks.remove(key) }

    /// Waits until the microphone has given its first samples, but no longer than it may hold up a take.
    func firstSamples() async { _ = await speaks.wait(seconds: 1) }

    private func receive(_ sample: CaptureInput.TimedSample) {
        guard var samples = try? sample.buffer.withBytes({ Array($0.bindMemory(to: Float.self)) }) else { return }
        let chunk = state.withLock { state in
            state.gain.apply(to: &samples, channels: plan.channels)
            let chunk = state.corrector.receive(samples, stamp: sample.time)
            state.last = chunk ?? state.last
            return chunk
        }
        speaks.fire()
        if let chunk { chunks.send(chunk) }
    }
}
