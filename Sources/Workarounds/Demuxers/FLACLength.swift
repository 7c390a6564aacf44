package import GStreamer
import MovieFiles

/// GStreamer 1.22, flacparse: goes with the version that tells how long the last block is; `WorkaroundTests` “flacparse, the last block”.
///
/// How long blocks of FLAC last: flacparse (1.22) takes the last, which is shorter, for one as long as the others.
package struct FLACLength: Sendable {
    /// Frames of audio a second.
    package let rate: Int

    /// - Returns: nil for other audio.
    package init?(_ caps: Caps) {
        guard let format = caps.first, format.name == "audio/x-flac", let rate = format["rate"]?.intValue, rate > 0
        else {
            return nil
        }
        self.rate = rate
    }

    /// - Returns: nil for what is no block, as the stream's head.
    package func duration(of packet: Buffer) -> MediaTime? {
        let frame = (try? packet.withBytes { FLACFrame($0) }) ?? nil
        return frame.map { MediaTime(samples: $0.blockSize, rate: rate) }
    }
}
