import Errors
import GStreamer

/// What follows a camera that delivers compressed frames.
enum VideoDecoding {
    /// Decoders, the preferred first: hardware before software.
    private static let decoders: [CaptureFormat.Encoding: [String]] = [
        .mjpeg: ["jpegdec", "avdec_mjpeg"],
        .h264: ["vah264dec", "v4l2slh264dec", "v4l2h264dec", "nvh264dec", "avdec_h264", "openh264dec"],
    ]

    /// The first decoder that is installed.
    ///
    /// - Throws: ``RushesError`` naming the package if there is none.
    static func decoder(of encoding: CaptureFormat.Encoding) throws(RushesError) -> String {
        let candidates = decoders[encoding] ?? []
        if let found = candidates.first(where: ElementFactory.exists) { return found }
        let package = encoding == .mjpeg ? "gstreamer1.0-plugins-good" : "gstreamer1.0-libav"
        throw RushesError(
            .missingPlugin, "the camera's \(encoding.words) cannot be decoded here; install \(package)")
    }

    static func nodes(_ encoding: CaptureFormat.Encoding, _ decoder: String) -> [PipelineDescription.Node] {
        // A queue, so that decoding does not keep the camera's driver waiting; three frames are enough to even it out.
        let queue = PipelineDescription.Node.make(
            "queue", ["max-size-buffers": 3, "max-size-bytes": 0, "max-size-time": 0])
        return encoding == .h264 ? [.make("h264parse"), queue, .make(decoder)] : [queue, .make(decoder)]
    }

    /// The stream as it comes, cut into whole frames.
    static func stream(
        _ encoding: CaptureFormat.Encoding, _ format: CaptureFormat, _ rate: Fraction
    ) -> (nodes: [PipelineDescription.Node], caps: Caps) {
        guard encoding == .h264 else { return ([], format.caps(rate: rate)) }
        // The headers with every key frame, so that a take can begin at any of them.
        let caps = Caps(
            encoding.mediaType,
            [
                "width": .int(Int64(format.width)), "height": .int(Int64(format.height)), "framerate": .fraction(rate),
                "stream-format": .string("byte-stream"), "alignment": .string("au"),
            ])
        return ([.make("h264parse", ["config-interval": -1]), .caps(caps)], caps)
    }
}
