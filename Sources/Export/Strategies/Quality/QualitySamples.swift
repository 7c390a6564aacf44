import Encoding
import FileSystem
import GStreamer

/// Frames of the input as the encoder would get them, without loss in a file without a name.
struct QualitySamples: Sendable {
    let file: UnnamedFile
    /// How many there are.
    let frames: Int
    let choice: EncoderSelection
}

extension QualitySamples {
    /// What is written as a sample: the raw format that the encoder takes, in a form that FFV1 knows too.
    private static func format(_ encoder: VideoEncoder) -> String {
        switch encoder.formats.first {
        case "NV12", nil: "I420"
        case "P010_10LE": "I420_10LE"
        case let format?: format
        }
    }

    /// How the lossless frames are made of the decoder's.
    ///
    /// ffmpeg converts what two files call by different names before it compares them, and files name ranges and colours in
    /// different ways; so all are called BT.709, without a change of their numbers. RGB, which cannot be, is made that.
    static func plan(_ choice: EncoderSelection) throws -> MoviePlan {
        let name = choice.caps.first?["format"]?.stringValue ?? ""
        let isRGB = ["RGB", "BGR", "GBR"].contains { name.contains($0) }
        let conversion = try VideoEncoder.conversion(
            to: [format(choice.encoder)], from: name, ",colorimetry=(string)\(colorimetry)")
        return plan(
            MoviePlan.Track(
                caps: isRGB ? choice.caps : choice.caps.setting("colorimetry", to: .string(colorimetry)),
                nodes: choice.filters.nodes + conversion
                    + [.make("avenc_ffv1", name: "video-encoder", ["slices": 4])]))
    }

    private static let colorimetry = "bt709"

    /// What the encoder makes of the samples.
    static func plan(_ encoder: VideoEncoder, _ caps: Caps) throws -> MoviePlan {
        plan(MoviePlan.Track(caps: caps, nodes: try encoder.nodes(colorimetry: colorimetry)))
    }

    private static func plan(_ track: MoviePlan.Track) -> MoviePlan {
        MoviePlan(muxer: Container.mkv.muxer, isMovieFile: false, video: track, purpose: .export)
    }
}
