package import GStreamer
import Threads

/// GStreamer 1.22, avdec_aac and opusdec: goes with the version in which they stamp their first audio with its own time; `WorkaroundTests` “avdec_aac, the time of the first audio behind a packet without any” and “opusdec, the time of the first audio of a transport stream”.
///
/// By how much the audio of a decoder is stamped too early, found by watching it.
///
/// AAC needs two packets for the first audio (ISO/IEC 14496-3, overlapping windows). GStreamer's decoder (1.22, avdec_aac)
/// gives nothing for the first packet of some streams, and then stamps all audio with the time of the packet before it;
/// others, ffmpeg's own among them, give audio from the first packet on. Where a packet more has gone in than the first
/// audio's time says, the audio is that much later.
///
/// Opus of a transport stream says how much of its first packet only primes the decoder (ETSI TS 103 491, `start_trim`). GStreamer's (1.22,
/// opusdec) takes that away, and stamps the rest with the packet's time.
package final class DecoderDelay: Sendable {
    private let isCut: Bool

    /// - Parameter isCut: whether the decoder takes away the beginning of its first packet.
    package init(isCut: Bool) { self.isCut = isCut }

    private struct State {
        var latest: (time: MediaTime, duration: MediaTime)?
        var late: MediaTime = .zero
    }

    private let state = Locked(State())

    /// Known once there is audio.
    package var late: MediaTime { state.withLock { $0.late } }

    package static func isNeeded(for caps: Caps) -> Bool {
        guard let format = caps.first else { return false }
        return format.name == "audio/mpeg" && format["mpegversion"]?.intValue != 1
    }

    /// - Parameter pad: the decoder's input, behind what parses: that holds packets back too.
    package func read(_ pad: Pad) {
        let state = state
        _ = pad.addBufferProbe { buffer in
            guard let time = buffer.presentationTime, let duration = buffer.duration else { return .pass }
            state.withLock { $0.latest = (time, duration) }
            return .pass
        }
    }

    /// - Parameter pad: its output.
    package func write(_ pad: Pad) {
        let (state, isCut) = (state, isCut)
        _ = pad.addBufferProbe { buffer in
            // The first audio, and the first after a seek.
            guard buffer.isDiscontinuity, let time = buffer.presentationTime else { return .pass }
            state.withLock { state in
                guard let latest = state.latest, latest.duration > .zero else { return }
                // Whole packets: the first audio can be cut at the beginning.
                let packets = ((latest.time - time) / latest.duration).rounded()
                state.late = Int(max(0, packets)) * latest.duration
                if isCut, packets == 0, let left = buffer.duration { state.late = max(.zero, latest.duration - left) }
            }
            return .pass
        }
    }
}
