package import GStreamer
import Threads

/// x265 3.5 behind GStreamer 1.22: goes with the version that knows when the frames of the shortest movies are decoded; `WorkaroundTests` “x265enc, when the only frame of a movie is decoded”.
extension Element {
    /// Gives frames that x265enc has not reordered the time of decoding that they are shown at; does nothing to other encoders.
    ///
    /// x265 (3.5) learns with its third frame how much earlier than it is shown a frame has to be decoded. Of a movie of one or two frames it
    /// takes whatever lies in memory: some were to be decoded twenty hours before they are shown, and nothing could be decoded.
    package func correctDecodeTimes() {
        guard factoryName == "x265enc" else { return }
        let count = Locked(0)
        _ = pad("sink")?.addBufferProbe { _ in
            let isKnown = count.withLock { count in
                count += 1
                return count > 2
            }
            return isKnown ? .remove : .pass
        }
        _ = pad("src")?.addBufferEditor { frame in
            guard count.withLock({ $0 <= 2 }) else { return }
            frame = frame.retimed(
                presentationTime: frame.presentationTime, decodeTime: frame.presentationTime, duration: frame.duration)
        }
    }
}
