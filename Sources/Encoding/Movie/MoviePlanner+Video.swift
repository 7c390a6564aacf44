import Errors
import GStreamer
import Logging

struct PlannedEncoding {
    var track: MoviePlan.Track
    var codec: VideoCodec
    /// See ``VideoEncoder/copiesFrames``.
    var isLent = false
    var colour: GStreamer.Colorimetry?
    var reason: String
    /// What was tried and did not work, a line each.
    var notes: [String] = []
}

extension MoviePlanner {
    func planVideo(
        _ frames: Frames, trying frame: Buffer?, triesHardware: Bool
    ) async throws -> PlannedEncoding {
        guard let format = frames.caps.first else {
            throw RushesError(.invalidSettings, "The camera does not say what format its frames have.")
        }
        if format.name != "video/x-raw" { return try copy(format, frames) }
        guard let width = format["width"]?.intValue, let height = format["height"]?.intValue else {
            throw RushesError(.invalidSettings, "The camera does not say how large its frames are.")
        }
        var request = VideoRequest(
            codec: settings.videoCodec, profile: settings.profile, container: container, size: VideoSize(width, height),
            rate: rate(of: format, frames), bitDepth: settings.bitDepth, control: settings.rateControl,
            freeCores: cpuShare < 1
                ? (ProcessorWatch.shared.freeCores ?? Double(MachineCores.available)) * cpuShare
                : ProcessorWatch.shared.freeCores, coreSpeed: MachineSpeed.relative)
        (request.arrivalRate, request.requiredSpeed) = (frames.arrivalRate, settings.encoderSpeed)
        var last: RushesError?
        var encoders = try tables.videoEncoders(for: request)
        if let frame, let first = encoders.first, isInDoubt(encoders, request),
            let speed = try await coreSpeed(byTrying: first, request, on: frame, frames, format)
        {
            request.coreSpeed = speed
            encoders = try tables.videoEncoders(for: request)
        }
        var notes: [String] = []
        for encoder in encoders {
            let nodes = try self.nodes(encoder, format)
            if encoder.isHardware, triesHardware,
                let failure = await EncoderProbe.failure(of: nodes, caps: frames.caps)
            {
                notes.append("\(encoder.element) cannot be opened (\(failure)); trying the next encoder.")
                last = RushesError(.encoderFailed, "\(encoder.element) cannot be opened: \(failure)")
                continue
            }
            log.debug(
                "encoder chosen",
                metadata: [
                    "element": "\(encoder.element)", "speed": "\(encoder.speed ?? "-")",
                    "core speed": "\(MachineSpeed.relative)", "free cores": "\(request.freeCores)",
                    "load": "\(encoder.load)", "input": "\(frames.caps)",
                ])
            var track = MoviePlan.Track(caps: frames.caps, nodes: nodes)
            track.speed = encoder.speed
            if mayChange(encoder, frames) {
                track.faster = try tables.fasterEncoders(than: encoder, for: request).map {
                    MoviePlan.Speed(name: $0.speed ?? "", nodes: try self.nodes($0, format))
                }
            }
            return PlannedEncoding(
                track: track, codec: encoder.codec, isLent: encoder.copiesFrames,
                colour: GStreamer.Colorimetry(frames.caps), reason: encoder.reason, notes: notes)
        }
        throw last ?? RushesError(.encoderMissing, "No encoder fits this video.")
    }

    /// How fast the cores are taken to be once an encoder was too slow in a trial; nil where it was fast enough, or did not work.
    private func coreSpeed(
        byTrying encoder: VideoEncoder, _ request: VideoRequest, on frame: Buffer, _ frames: Frames, _ format: Structure
    ) async throws -> Double? {
        guard
            let pace = await EncoderProbe.pace(
                of: try nodes(encoder, format), caps: frames.caps, frame: frame, within: Self.trial)
        else { return nil }
        // Beside others it has only its share.
        let needed = (request.arrivalRate ?? request.rate.doubleValue) * Self.reserve / max(cpuShare, 0.1)
        log.debug(
            "encoder tried",
            metadata: ["element": "\(encoder.element)", "frames a second": "\(pace)", "needed": "\(needed)"])
        guard pace < needed else { return nil }
        // As if the cores were so slow that its cost says the same, or twice as slow: how slow they will be a quarter of
        // a second cannot tell.
        return request.coreSpeed * max(pace / needed, 0.5) * encoder.load / request.limit
    }

    private func nodes(_ encoder: VideoEncoder, _ format: Structure) throws -> [PipelineDescription.Node] {
        try encoder.nodes(format: format["format"]?.stringValue, colorimetry: format["colorimetry"]?.stringValue)
    }

    /// Whether a faster encoder can take this one's place while frames come: one description must hold both, which is so where parameter
    /// sets are all of it. Whoever names a speed keeps it, and a timelapse has time.
    private func mayChange(_ encoder: VideoEncoder, _ frames: Frames) -> Bool {
        [.h264, .hevc].contains(encoder.codec) && !encoder.isHardware && settings.encoderSpeed == nil
            && frames.arrivalRate == nil
    }

    /// How long a trial of an encoder may take: it delays the take.
    private static let trial = Duration.milliseconds(250)
    /// How much faster than the camera an encoder must be in a trial, which has all that is free to itself.
    private static let reserve = 1.5

    /// Whether the choice has to be tried: the first encoder needs more than half of what it may, by its measured cost. Then a
    /// scene dearer than the measured ones, or a machine unlike the one where that was done, may be too much. Whoever names
    /// a codec gets it, and nothing is tried where nothing would be cheaper.
    private func isInDoubt(_ encoders: [VideoEncoder], _ request: VideoRequest) -> Bool {
        guard request.codec == nil, let first = encoders.first, first.isRealTime, first.load > request.limit / 2 else {
            return false
        }
        return encoders.dropFirst().contains { !$0.isHardware && $0.load < first.load }
    }

    /// The camera's own stream, parsed and not touched.
    private func copy(_ format: Structure, _ frames: Frames) throws -> PlannedEncoding {
        guard let codec = VideoCodec(mediaType: format.name), [.h264, .hevc, .mjpeg].contains(codec) else {
            throw RushesError(
                .invalidSettings, "The camera's stream (\(format.name)) cannot be copied; choose a codec.")
        }
        return PlannedEncoding(
            track: MoviePlan.Track(caps: frames.caps, nodes: codec.storedForm(stampsDecoding: frames.isReordered)),
            codec: codec, reason: "\(codec.displayName), the camera's own stream")
    }

    /// Frames a second: as the caps say, else as the camera promised, else thirty.
    private func rate(of format: Structure, _ frames: Frames) -> Fraction {
        let own = format["framerate"]?.fractionValue ?? Fraction(0)
        if own.numerator > 0 { return own }
        return frames.rate ?? Fraction(30)
    }
}
