import GStreamer

/// What the file was found to hold, and what its decoders gave.
extension MediaReader {
    /// What the file was found to hold, so far.
    var found: StreamBranches.Found { branches.found }

    /// The ends of all streams that are not left out, in the order of the file.
    var tracks: [Track] { found.tracks }
    var hasVideo: Bool { tracks.contains { $0.stream.kind == .video } }
    var leftOut: [SourceStream] { found.leftOut }
    /// Streams that are neither video, audio nor text.
    var unknown: [Caps] { found.unknown }
    /// What the demuxers call all streams that they have named.
    var streamIdentifiers: [String] { discovery.identifiers }
    /// When the last packet ends of an audio track, as its demuxer says; nil where nobody knows.
    func encodedEnd(of stream: SourceStream) -> MediaTime? {
        stream.kind == .audio ? stream.identifier.flatMap { discovery.end(of: $0) }.map(placed) : nil
    }
    /// Streams that were named and of which nothing has come so far.
    var silent: [Caps] { discovery.silent }
    /// Streams that came after all were thought to be there, so that nobody carries them.
    var late: [SourceStream] { found.late }
    /// Audio that no installed decoder takes.
    var undecodable: [SourceStream] { found.undecodable }
    /// When the first packet of video or audio begins, whether a decoder gives anything for it or not.
    var firstPacket: MediaTime? { discovery.firstPacket.map(placed) }

    /// What is put behind the frames' decoder to say what their colours are.
    var colorNodes: StreamBranches.ColorNodes { found.colorNodes }
    /// What lets the deinterlacer take the frames.
    var fieldNodes: [PipelineDescription.Node] { found.fieldNodes }
    /// The hardware decoders that were tried, by their elements' names.
    var hardwareDecoders: [String] { found.hardwareDecoders.sorted() }

    /// How the frames that are deinterlaced were laid out, as their decoder says once one has come: "interleaved", "mixed"; nil where none is.
    var deinterlacedMode: String? {
        let element = pipeline.bin.element(named: Deinterlacer.name)
        func mode(_ pad: String) -> String? {
            element?.pad(pad)?.currentCaps?.first?["interlace-mode"]?.stringValue
        }
        return mode("src") == "progressive" && mode("sink") != "progressive" ? mode("sink") : nil
    }
    /// Whether frames of more than 8 bits have 8 behind the deinterlacer.
    var losesDepth: Bool { found.losesDepth }
    /// Whether the decoder says how opaque the frames are, and a look-up table is applied to a form of them that does not.
    var losesAlpha: Bool { found.losesAlpha }
    /// Audio whose channels nobody has named, and that is mixed; nil where there is none.
    var unnamedMix: StreamBranches.UnnamedMix? { found.unnamedMix }
}
