import Foundation
import MediaTypes
import PulseAudio

/// How loud a microphone is set in its sound server, beside the gain of a recording.
package struct MicrophoneVolume: Sendable, Hashable {
    /// As sound settings show it: 100 leaves the samples as they are.
    package var percent: Int
    /// 0 is 100 %; `nil` for silence.
    package var decibels: Double?
    package var isMuted: Bool

    init(_ source: PulseSource) {
        percent = Int((source.volume * 100).rounded())
        decibels = source.decibels > -100 ? (source.decibels * 10).rounded() / 10 : nil
        isMuted = source.isMuted
    }

    /// "74% (-7.8 dB)", and whether it is muted.
    package var words: String {
        let number = decibels.map { String(format: " (%.1f dB)", $0 == 0 ? 0 : $0) } ?? ""
        return "\(percent)%\(number)" + (isMuted ? ", muted" : "")
    }
}

/// Decides which changes of a microphone's volume are told: where a slider comes to rest, not the way there. Pure.
struct VolumeWatch: Sendable {
    private var source: String?
    /// What is known to whoever listens, and what it is since when.
    private var told: MicrophoneVolume?
    private var latest: (volume: MicrophoneVolume, since: MediaTime)?

    /// How long a slider rests.
    static let rest: MediaTime = 500 * .millisecond

    /// - Parameter source: of another one nothing has changed.
    mutating func see(_ volume: MicrophoneVolume, of source: String, at now: MediaTime) {
        if source != self.source { (self.source, told, latest) = (source, volume, nil) }
        guard volume != latest?.volume ?? told else { return }
        latest = (volume, now)
    }

    /// What is to be told now. That it is muted, or no longer, is told by others.
    mutating func settled(at now: MediaTime) -> MicrophoneVolume? {
        guard let (volume, since) = latest, now - since >= Self.rest else { return nil }
        latest = nil
        defer { told = volume }
        return volume.percent == told?.percent || volume.isMuted ? nil : volume
    }
}
