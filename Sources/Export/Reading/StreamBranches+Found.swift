import GStreamer

extension StreamBranches {
    /// What the demuxer has named so far.
    struct Found: Sendable {
        /// How many of each kind, whatever becomes of them.
        var counts: [SourceStream.Kind: Int] = [:]
        var tracks: [MediaReader.Track] = []
        /// The last elements of all branches.
        var ends: [Element] = []
        var leftOut: [SourceStream] = []
        /// Streams that are neither video, audio nor text.
        var unknown: [Caps] = []
        /// Streams that came when nobody could take them any more.
        var late: [SourceStream] = []
        /// Whether nobody can take more.
        var isClosed = false
        /// Audio that no installed decoder takes.
        var undecodable: [SourceStream] = []
        var hardwareDecoders: Set<String> = []
        /// Of audio, by the stream's index.
        var delays: [Int: DecoderDelay] = [:]
        /// What says which colours the frames have, where their decoder does not.
        var colorNodes: [PipelineDescription.Node] = []
        /// The first thing that could not be built.
        var failure: GStreamerError?
    }
}
