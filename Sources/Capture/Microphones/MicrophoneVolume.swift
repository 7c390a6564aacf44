import Foundation
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
