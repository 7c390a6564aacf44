import CaptureAudio
import MediaTypes

/// Says every tenth of a second whether any of the microphones is as loud as is looked for. Pure.
struct SoundDetector: Sendable {
    private struct Microphone: Sendable {
        var meter: LevelMeter
        /// Since when is measured.
        var begin: MediaTime
        /// What was loud last ends there.
        var loudUntil: MediaTime?
    }

    /// Root mean square over a tenth of a second in decibels of full scale.
    let decibels: Double
    private var microphones: [Int: Microphone] = [:]

    /// What is measured at a time.
    private static let interval: MediaTime = 100 * .millisecond
    /// How long what one of them gave counts beside the others, whose samples come somewhat earlier or later.
    private static let memory: MediaTime = 300 * .millisecond

    init(decibels: Double) { self.decibels = decibels }

    /// Takes a chunk of a microphone, by its number.
    ///
    /// - Returns: whether any of them is loud, once there is so much of this one.
    mutating func add(_ chunk: AudioChunk, of number: Int) -> (isActive: Bool, time: MediaTime)? {
        let now = chunk.endTime
        var microphone = microphones[number] ?? Microphone(meter: LevelMeter(channels: chunk.channels), begin: now)
        microphone.meter.add(chunk.samples)
        let isMeasured = now - microphone.begin >= Self.interval
        if isMeasured {
            microphone.begin = now
            let level = microphone.meter.read()?.average.max() ?? -.infinity
            microphone.loudUntil = level >= decibels ? now : nil
        }
        microphones[number] = microphone
        guard isMeasured else { return nil }
        return (microphones.values.contains { $0.loudUntil.map { now - $0 <= Self.memory } ?? false }, now)
    }
}
