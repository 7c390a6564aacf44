import Composition
package import GStreamer
public import MediaTypes

/// How a camera is opened: its own pipeline up to, but without, the appsink at its end.
public struct VideoSourcePlan: Sendable, Equatable {
    /// What comes out of the last node.
    package enum Delivery: Sendable, Equatable {
        /// Raw frames. The caps name what is known beforehand; a decoder adds the pixel format when it runs.
        case raw(Caps)
        /// A compressed stream as the camera makes it, parsed into whole frames with their headers.
        case encoded(CaptureFormat.Encoding, Caps)
        /// Raw frames of a `gst:` source, which says only when it runs what they are.
        case unknown
    }

    /// What the source is called in messages.
    package var name: String
    /// The device's stable id; `nil` for what is none.
    package var device: String?
    /// The backend that it is opened through.
    var backend: CaptureDevice.Backend?
    /// From the source to what the appsink is to be linked to.
    package var nodes: [PipelineDescription.Node]
    /// What comes out of the last node.
    package var outputFormat: Delivery
    /// The mode that is opened; `nil` for a `gst:` source.
    package var format: CaptureFormat?
    /// The device file that the source opens; `nil` where it opens none.
    var path: String?
    /// The device file that has the camera's V4L2 controls, also where PipeWire opens it; `nil` where there is none.
    package var controlPath: String?
    /// Where the camera is built in; `nil` where that is not known.
    package var position: CaptureDevice.Position?
    /// All that the device has.
    var formats: [CaptureFormat] = []
    /// Frames a second of that mode; `nil` for a `gst:` source, unless one was asked for.
    package var rate: Fraction?
    /// Frames are to be dropped on a grid of this many a second, as the camera has no mode that slow.
    package var dropToRate: Fraction?
    /// How the camera is mounted: its frames are turned upright where they are composed; in a movie of its own, players turn them.
    public var orientation = MovieOrientation.upright
    /// How its frames are turned so that ``orientation`` is true of them.
    var turn = MovieOrientation.upright
    /// Whether frames are stamped as they come, and not by who took them: PipeWire's, see ``TimestampDejitter``.
    var isStampedOnArrival = false
    /// Whether its frames carry the driver's own count, v4l2src's and pipewiresrc's in their offsets, up to the last node.
    var isNumbered: Bool {
        (backend == .v4l2 || backend == .pipewire) && format?.encoding == .raw && decoder == nil
    }
    /// The decoder's element, where the camera's stream is decoded.
    package var decoder: String?
    /// What was chosen, for people: "HD Webcam, 1280×720 at 30, MJPEG decoded by jpegdec".
    package var summary: String

    /// The compressed form that is handed over, or `nil` for raw frames.
    package var encoding: CaptureFormat.Encoding? {
        if case .encoded(let encoding, _) = outputFormat { encoding } else { nil }
    }

    /// Tells it from other cameras.
    var identity: String { device ?? summary }
    /// Whether a person wrote its elements (`gst:…`).
    var isLaunchLine: Bool { nodes.first?.isLaunchLine == true }
    /// Whether the camera's stream is decoded.
    package var hasDecoder: Bool { decoder != nil }
}

extension VideoSourcePlan {
    /// The element that a ``FrameGate`` stands at.
    static let gate = "frame-gate"

    /// The same, with a place at which frames can be dropped: before the decoder where each frame is one of its own; else at the end.
    /// PipeWire copies even those: without, its source (0.3.65) stops after a few seconds, although none is kept.
    var gated: [PipelineDescription.Node] {
        decodesJPEG ? Self.gatedBeforeDecoder(nodes) : nodes + [Self.gateNode]
    }

    private static func gatedBeforeDecoder(_ nodes: [PipelineDescription.Node]) -> [PipelineDescription.Node] {
        // A device's source and its mode come first.
        Array(nodes[..<2]) + [gateNode] + Array(nodes[2...])
    }

    private static var gateNode: PipelineDescription.Node { .make("identity", name: gate, ["silent": true]) }

    /// Whether each frame is a JPEG of the camera's that is decoded here.
    var decodesJPEG: Bool { decoder != nil && format?.encoding == .mjpeg && nodes.count > 2 }

    /// What frames can be composed of, in GStreamer's names; the first are preferred where a frame is converted.
    static let composableFormats = ComposedFormat.names

    /// The same, with frames that can be composed: of most cameras as they are, of others converted. JPEGs can be dropped before their decoder.
    var composable: [PipelineDescription.Node] { decodesJPEG ? Self.gatedBeforeDecoder(converted) : converted }

    private var converted: [PipelineDescription.Node] {
        if case .raw(let caps) = outputFormat, let format = caps.first?["format"]?.stringValue,
            Self.composableFormats.contains(format)
        {
            return nodes
        }
        return nodes + [
            .make("videoconvert", [:]),
            .caps(Caps("video/x-raw", ["format": .list(Self.composableFormats.map { .string($0) })])),
        ]
    }

    /// The same with frames rotated to match another camera, which precedes it in the same movie.
    func rotated(like other: MovieOrientation) -> VideoSourcePlan {
        var plan = self
        plan.orientation = other
        plan.turn = orientation.followed(by: other.inverse)
        guard plan.turn != .upright else { return plan }
        plan.nodes += [.make("videoconvert")] + plan.turn.flips
        plan.outputFormat = .unknown
        return plan
    }
}
