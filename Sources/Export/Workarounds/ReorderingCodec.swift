import GStreamer
import MovieFiles

/// A codec whose headers say by how many frames its decoder is behind.
enum ReorderingCodec: Sendable {
    case h264
    case mpeg4

    /// - Returns: nil of any other.
    init?(_ format: Structure) {
        switch format.name {
        case "video/x-h264": self = .h264
        case "video/x-divx", "video/x-xvid": self = .mpeg4
        case "video/mpeg" where format["mpegversion"]?.intValue == 4: self = .mpeg4
        default: return nil
        }
    }

    /// What the headers in a stream's first frame say; nil where they leave it open.
    func told(by head: [UInt8]) -> Int? {
        self == .h264 ? ReorderDelay.told(byH264: head) : ReorderDelay.told(byMPEG4: head)
    }

    /// What they let a decoder be behind; nil where there are none.
    func delay(by head: [UInt8]) -> Int? {
        self == .h264 ? ReorderDelay.frames(ofH264: head) : ReorderDelay.told(byMPEG4: head)
    }
}
