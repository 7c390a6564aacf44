import GStreamer
import Logging

struct PlannedVideo {
    var track: MoviePlan.Track
    var codec: VideoCodec
    var colour: GStreamer.Colorimetry?
    var reason: String
}

extension MoviePlanner {
    func planVideo(_ pictures: Pictures, triesHardware: Bool, notes: inout [String]) async throws -> PlannedVideo {
        guard let format = pictures.caps.first else {
            throw EncodingError(.unsuitable, "The camera does not say what its pictures are.")
        }
        if format.name != "video/x-raw" { return try copy(format, pictures) }
        guard let width = format["width"]?.intValue, let height = format["height"]?.intValue else {
            throw EncodingError(.unsuitable, "The camera does not say how large its pictures are.")
        }
        let request = VideoRequest(
            codec: settings.videoCodec, profile: settings.profile, container: container, size: VideoSize(width, height),
            rate: rate(of: format, pictures), bitDepth: settings.bitDepth, control: settings.rateControl,
            coreSpeed: MachineSpeed.relative)
        let colorimetry = format["colorimetry"]?.stringValue
        var last: EncodingError?
        for encoder in try tables.videoEncoders(for: request) {
            let nodes = try encoder.nodes(
                format: format["format"]?.stringValue, colorimetry: colorimetry)
            if encoder.isHardware, triesHardware,
                let failure = await EncoderProbe.failure(of: nodes, caps: pictures.caps)
            {
                notes.append("\(encoder.element) does not open (\(failure)); trying the next.")
                last = EncodingError(.encoderFailed, "\(encoder.element) does not open: \(failure)")
                continue
            }
            log.debug(
                "encoder chosen",
                metadata: [
                    "element": "\(encoder.element)", "core speed": "\(MachineSpeed.relative)",
                    "input": "\(pictures.caps)",
                ])
            return PlannedVideo(
                track: MoviePlan.Track(caps: pictures.caps, nodes: nodes), codec: encoder.codec,
                colour: GStreamer.Colorimetry(pictures.caps), reason: encoder.reason)
        }
        throw last ?? EncodingError(.encoderMissing, "No encoder fits this picture.")
    }

    /// The camera's own stream, parsed and not touched.
    private func copy(_ format: Structure, _ pictures: Pictures) throws -> PlannedVideo {
        let (codec, nodes): (VideoCodec, [PipelineDescription.Node])
        switch format.name {
        case "video/x-h264":
            (codec, nodes) = (
                .h264, [.make("h264parse"), .caps(try Caps("video/x-h264,stream-format=avc,alignment=au"))]
            )
        case "video/x-h265":
            (codec, nodes) = (
                .hevc, [.make("h265parse"), .caps(try Caps("video/x-h265,stream-format=hvc1,alignment=au"))]
            )
        case "image/jpeg": (codec, nodes) = (.mjpeg, [.make("jpegparse")])
        default:
            throw EncodingError(.unsuitable, "The camera's stream (\(format.name)) cannot be copied; choose a codec.")
        }
        return PlannedVideo(
            track: MoviePlan.Track(caps: pictures.caps, nodes: nodes), codec: codec,
            reason: "\(codec.displayName), the camera's own stream")
    }

    /// Frames a second: as the caps say, else as the camera promised, else thirty.
    private func rate(of format: Structure, _ pictures: Pictures) -> Fraction {
        let own = format["framerate"]?.fractionValue ?? Fraction(0)
        if own.numerator > 0 { return own }
        return pictures.rate ?? Fraction(30)
    }
}
