package import GStreamer
package import MediaTypes
import Threads

extension Element {
    /// GStreamer 1.22, lamemp3enc: goes with the version that tells of its last frames what was encoded into them; `WorkaroundTests` “lamemp3enc, how
    /// long its last frames last”.
    ///
    /// LAME puts samples in front of the audio and fills up the last frame, so that its frames last longer than what they were given. Here the
    /// last ones end with that.
    ///
    /// - Parameter delay: how much later, where what stands in front is counted too.
    package func endWithInput(later delay: MediaTime) {
        guard factoryName == "lamemp3enc" else { return }
        let end = Locked(MediaTime.zero)
        _ = pad("sink")?.addBufferProbe { buffer in
            if let time = buffer.presentationTime, let duration = buffer.duration {
                end.withLock { $0 = time + duration }
            }
            return .pass
        }
        _ = pad("src")?.addBufferEditor { frame in
            guard let time = frame.presentationTime, let duration = frame.duration else { return }
            let rest = max(.zero, end.withLock { $0 } + delay - time)
            if rest < duration { frame = frame.retimed(presentationTime: time, duration: rest) }
        }
    }
}
