import GStreamer

extension MediaReader {
    /// What is put behind decoders.
    struct Filters: Sendable, Hashable {
        /// For `deinterlace`'s mode; `nil`: none.
        var deinterlacing: String?
        /// Channels that audio is mixed to.
        var channels: Int?
    }
}

extension MediaReader.Filters {
    /// The element that makes frames of fields.
    static let deinterlacer = "video-deinterlace"

    /// From a decoder to Swift.
    func nodes(_ kind: SourceStream.Kind) throws(GStreamerError) -> [PipelineDescription.Node] {
        switch kind {
        case .video:
            let deinterlace = PipelineDescription.Node.make(
                "deinterlace", name: Self.deinterlacer,
                // One frame for each frame; all fields would double the rate. yadif (1.22) gives the first two frames one time.
                ["mode": .text(deinterlacing ?? "disabled"), "fields": "top", "method": "greedyh"])
            // Memory that Swift can read, wherever the decoder puts its frames.
            return (deinterlacing == nil ? [] : [deinterlace]) + [.caps(try Caps("video/x-raw"))]
        case .audio:
            let mix = channels.map { ",channels=(int)\($0)" } ?? ""
            return [
                .make("audioconvert"),
                .caps(
                    try Caps(
                        "audio/x-raw,format=(string){ S16LE, S24LE, S32LE, F32LE, F64LE },layout=(string)interleaved"
                            + mix)),
            ]
        case .text: return []
        }
    }
}
