import Foundation

/// How loud audio is as a whole, and its highest peak (EBU R 128, ITU-R BS.1770).
struct MeasuredLoudness: Sendable, Hashable {
    /// LUFS; nil where nothing is loud enough to count for 0.4 seconds, as in silence.
    var integrated: Double?
    /// dBTP.
    var truePeak: Double
}

/// By how much a track of audio is amplified so that it is as loud as was asked for.
struct LoudnessGain: Sendable, Hashable {
    /// Decibels.
    private(set) var decibels = 0.0
    private let measured: MeasuredLoudness
    private let wanted: Double

    /// dBTP (EBU R 128): what decoders make between the samples stays below full scale.
    static let highestPeak = -1.0
    /// Decibels by which the peaks of a lossy codec may be higher than what it was given.
    private static let overshoot = 1.0

    /// dBTP: below it nothing counts, as in BS.1770.
    private static let silence = -70.0

    /// - Parameters:
    ///   - wanted: LUFS.
    ///   - isLossy: whether the encoder changes samples.
    init(_ measured: MeasuredLoudness, to wanted: Double, isLossy: Bool) {
        (self.measured, self.wanted) = (measured, wanted)
        guard let integrated = measured.integrated else { return }
        let ceiling = Self.highestPeak - (isLossy ? Self.overshoot : 0) - measured.truePeak
        decibels = min(wanted - integrated, ceiling)
    }

    /// What every sample is multiplied by.
    var factor: Float { Float(pow(10, decibels / 20)) }

    /// For people.
    ///
    /// - Parameter track: its number, where there are several.
    func words(track: Int?) -> String { words(of: track.map { "Audio track \($0)" } ?? "The audio") }

    /// - Parameter name: what it is the gain of, for people.
    func words(of name: String) -> String {
        guard let integrated = measured.integrated else {
            return measured.truePeak < Self.silence
                ? "\(name) is silent and stays so."
                : "\(name) is too short or too quiet for its loudness to be measured, and stays as it is."
        }
        let reached = integrated + decibels
        if reached < wanted - 0.05 {
            return "\(name): \(Self.number(wanted)) LUFS would clip; \(Self.number(reached)) LUFS."
        }
        return "\(name): \(Self.number(integrated)) LUFS became \(Self.number(reached)) LUFS."
    }

    private static func number(_ value: Double) -> String {
        let text = String(format: "%.1f", value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
