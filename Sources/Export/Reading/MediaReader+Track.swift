import GStreamer
import Workarounds

extension MediaReader {
    /// An end of the pipeline.
    struct Track: Sendable {
        var stream: SourceStream
        var isCopied: Bool
        var sink: any SampleSource
        /// Where it comes out of the demuxer.
        var pad: Pad
        /// What its frames tell of HDR10, where caps do not.
        var light: StreamLight?
        /// Whether its frames have one size, where they are copied.
        var size: CopiedSize?
        /// How many go into its decoder, where that can be known of its codec.
        var encoded: EncodedFrames?
        /// What lies among its frames, where they are decoded.
        var messages: FrameMessages?
        /// What its frames tell of their colors, where caps do not tell all.
        var colors: CodedColors?
        /// What its decoder gives, where a look-up table changes its colors.
        var graded: GradedSamples?

        /// By how much its samples are later than in the file, as that was asked for.
        var delay: MediaTime = .zero

        /// What libavformat says of it, where that reads the file.
        var told: (language: String?, title: String?, codec: String?) = (nil, nil, nil)

        /// As its demuxer says, ISO 639 with two or three letters; to be asked once something has come.
        var language: String? { told.language ?? pad.tag("language-code") }
        /// As its demuxer says, likewise.
        var title: String? { told.title ?? pad.tag("title", ofStreamAlone: true) }
    }
}
