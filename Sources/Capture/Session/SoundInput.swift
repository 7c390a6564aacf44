import Foundation
import GStreamer
import Synchronization

/// A microphone that runs: its sound corrected onto the system's clock, with gain, mute and a level meter.
final class SoundInput: Sendable {
    let input: CaptureInput
    let plan: AudioSourcePlan
    private let chunks = Listeners<SoundChunk>()
    private let state: Mutex<State>

    private struct State {
        var corrector: SoundCorrector
        var meter: LevelMeter
        var gain: Float = 1
    }

    init(_ plan: AudioSourcePlan, baseTime: Nanoseconds) throws {
        self.plan = plan
        input = try CaptureInput(name: plan.name, nodes: plan.nodes, baseTime: baseTime)
        state = Mutex(
            State(
                corrector: try SoundCorrector(
                    rate: AudioSourcePlan.sampleRate, channels: plan.channels, isOnSystemClock: plan.isOnSystemClock),
                meter: LevelMeter(channels: plan.channels)))
        _ = input.listen { [weak self] in self?.receive($0) }
    }

    /// Amplification in decibels, and silence.
    func set(gain decibels: Double, isMuted: Bool) {
        state.withLock { state in
            state.gain = isMuted ? 0 : Float(pow(10, decibels / 20))
        }
    }

    /// The loudness since the last call, after gain and mute.
    func readLevel() -> SoundLevel? { state.withLock { $0.meter.read() } }

    /// How much faster than promised the microphone's clock runs, in parts per million.
    var drift: Double { state.withLock { $0.corrector.drift } * 1e6 }

    func listen(_ body: @escaping @Sendable (SoundChunk) -> Void) -> Int { chunks.add(body) }
    func unlisten(_ key: Int) { chunks.remove(key) }

    private func receive(_ sample: CaptureInput.TimedSample) {
        guard var samples = try? sample.buffer.withBytes({ Array($0.bindMemory(to: Float.self)) }) else { return }
        let chunk = state.withLock { state -> SoundChunk? in
            if state.gain != 1 {
                for index in samples.indices { samples[index] = min(max(samples[index] * state.gain, -1), 1) }
            }
            samples.withUnsafeBufferPointer { state.meter.add($0) }
            return state.corrector.receive(samples, stamp: sample.time)
        }
        if let chunk { chunks.send(chunk) }
    }
}
