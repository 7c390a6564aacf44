package import GStreamer
import MovieFiles

/// GStreamer 1.22, decoders of AVI's frames: goes with the version in which they need no telling by how many frames they are behind; it goes with `AVIFrameTimestamps`, and its test is that one's.
///
/// A codec whose headers say by how many frames its decoder is behind.
package enum ReorderingCodec: Sendable {
    case h264
    case mpeg4

    /// - Returns: nil of any other.
    package init?(_ format: Structure) {
        switch format.name {
        case "video/x-h264": self = .h264
        case "video/x-divx", "video/x-xvid": self = .mpeg4
        case "video/mpeg" where format["mpegversion"]?.intValue == 4: self = .mpeg4
        default: return nil
        }
    }

    /// What the headers in a stream's first frame say; nil where they leave it open.
    package func told(by head: [UInt8]) -> Int? {
        self == .h264 ? ReorderDelay.told(byH264: head) : ReorderDelay.told(byMPEG4: head)
    }

    /// What they let a decoder be behind; nil where there are none.
    func delay(by head: [UInt8]) -> Int? {
        self == .h264 ? ReorderDelay.frames(ofH264: head) : ReorderDelay.told(byMPEG4: head)
    }
}
