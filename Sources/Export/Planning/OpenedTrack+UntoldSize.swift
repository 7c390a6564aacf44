import GStreamer
import MediaTypes
import MovieFiles

extension OpenedTrack {
    /// How large its frames are, where only they say it: some writers of Matroska leave it out, no parser of GStreamer (1.22) reads it of VP8, and
    /// no muxer takes frames without it.
    var untoldSize: VideoSize? {
        guard let format = caps.first, format.name == "video/x-vp8", format["width"] == nil, let buffer = first.buffer
        else { return nil }
        return (try? buffer.withBytes { VideoSize(vp8KeyFrame: $0) }) ?? nil
    }
}
