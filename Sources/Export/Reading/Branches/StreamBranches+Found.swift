import GStreamer
import Workarounds

extension StreamBranches {
    /// What the demuxer has named so far.
    struct Found: Sendable {
        /// How many of each kind, whatever becomes of them.
        var counts: [SourceStream.Kind: Int] = [:]
        var tracks: [MediaReader.Track] = []
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
        /// What lets the deinterlacer take the frames.
        var fieldNodes: [PipelineDescription.Node] = []
        /// Whether the frames have fewer bits than their decoder gives, for the deinterlacer's sake.
        var losesDepth = false
        /// Whether the decoder says how opaque the frames are, and they are converted to a form that does not.
        var losesAlpha = false
        /// Audio whose channels nobody has named, and that is mixed; nil where there is none.
        var unnamedMix: UnnamedMix?
        /// What says which colours the frames have, where their decoder does not.
        var colorNodes: StreamBranches.ColorNodes = ([], [])
        /// The first thing that could not be built.
        var failure: GStreamerError?
    }
    /// Channels without names that are mixed.
    struct UnnamedMix: Sendable {
        var channels: Int
        /// How many they become.
        var count: Int

        /// A sentence about it.
        var note: String {
            channels > 8
                ? "The audio's \(channels) channels have no names; they are mixed to \(count) in turn, the first to the first."
                : "The audio's \(channels) channels have no names; the usual order was taken."
        }
    }
}
