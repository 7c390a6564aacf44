import Composition
import GStreamer

extension VideoSourcePlan {
    /// What frames can be composed of, in GStreamer's names; the first are preferred where a frame is converted.
    static let composableFormats = ComposedFormat.names

    /// The same, with frames that can be composed: of most cameras as they are, of others converted.
    var composable: [PipelineDescription.Node] {
        if case .raw(let caps) = delivers, let format = caps.first?["format"]?.stringValue,
            Self.composableFormats.contains(format)
        {
            return nodes
        }
        return nodes + [
            .make("videoconvert", [:]),
            .caps(Caps("video/x-raw", ["format": .list(Self.composableFormats.map { .string($0) })])),
        ]
    }
}
