import ArgumentParser
import Capture
import Encoding
import Errors
import Foundation
import Rushes
import SystemPackage

/// A timelapse from a camera as asked for on the command line.
struct LiveTimelapseRequest {
    let destination: MovieDestination
    var settings: TimelapseSettings
    /// Where a frame is to be written, and nothing else done.
    let preview: FilePath?
    /// Whether files that are there are replaced.
    let overwrites: Bool
    /// What a person named.
    let camera: CameraArgument
    private let format: FormatRequest

    /// - Throws: a `ValidationError`, or ``RushesError``: one sentence with the cure.
    init(_ command: TimelapseCommand) throws {
        let (live, encoder) = (command.live, command.encoding.encoder)
        let rate = command.pace.rate?.fraction ?? Fraction(30)
        if command.pace.speed != nil {
            throw ValidationError("--speed is for videos and photos; a camera's is --every.")
        }
        if command.source.fit != nil { throw ValidationError("--fit is for photos; leave it out.") }
        if let option = command.finishing.forFiles.first {
            throw ValidationError(
                "\(option) is for videos and photos; leave it out, as each shot is on the disk as soon as it is taken.")
        }
        settings = TimelapseSettings(
            every: try live.interval(length: command.pace.length, rate: rate),
            duration: live.duration?.time, hours: try live.hours(),
            minimumLuma: live.minLuma, rate: rate,
            exposure: live.rampExposure ? .ramped : live.lockExposure ? .locked : .automatic, standsBy: live.standby,
            isDaily: live.daily, resumes: live.resume)
        if live.every != nil {
            settings.maximumShots = command.pace.length.map {
                max(1, Int(($0.time.seconds * rate.doubleValue).rounded()))
            }
        }
        preview = live.preview.map { FilePath(typed: $0) }
        overwrites = command.finishing.overwrite
        let look = command.look.look(replacesExisting: overwrites)
        (settings.stamp, settings.keogram, settings.trails) = (look.stamp, look.keogram, look.trails)
        if live.resume, let option = command.look.givenImages.first {
            throw ValidationError(
                "\(option) would have the shots of this run alone; leave it out, and make it of the movie: rushes timelapse again.mov "
                    + "--from-video \(command.file) --speed 1x \(option) day.png.")
        }
        settings.minimumFreeSpace = live.minFree?.bytes ?? 50_000_000
        destination = command.finishing.destination(command.file)
        var movie = try Self.movie(encoder, preset: command.encoding.preset, in: destination.container())
        movie.lookupTable = command.look.lut.map { FilePath(typed: $0) }
        movie.metadata.software = "Rushes \(RushesCommand.version)"
        movie.metadata.location = live.location.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
        camera = try CameraArgument(live.camera ?? "default")
        guard camera.rate == nil else {
            throw ValidationError("--every says how often a camera takes a shot; leave rate= out.")
        }
        guard camera.source != "none" else { throw ValidationError("--camera none gives no shots; name a camera.") }
        movie.orientation = camera.orientation
        settings.movie = movie
        try movie.check(container: destination.container(), hasVideo: true, hasAudio: false)
        format = FormatRequest(size: command.encoding.size ?? camera.size, bitDepth: movie.bitDepth)
        if live.daily, command.finishing.overwrite {
            throw ValidationError(
                "--daily gives each movie a name of its own, so there is none to --overwrite; leave it out.")
        }
        if live.resume, command.finishing.overwrite {
            throw ValidationError("--resume continues the movie that --overwrite would replace; give one of them.")
        }
    }

    /// How shots are encoded: as a preset says, where one is named, and as the options do; but for its speed, which is for files.
    private static func movie(
        _ encoder: EncoderOptions, preset name: String?, in container: Container
    ) throws -> MovieSettings {
        let preset = try name.map { try ExportSettings.preset($0) }
        var movie = MovieSettings()
        let codec = encoder.codec ?? (encoder.profile == nil ? preset?.video : .prores)
        movie.videoCodec = try EncodingRules.codec(codec, at: encoder.bitrate, in: container)
        let own = movie.videoCodec == preset?.video ? preset : nil
        movie.profile = encoder.profile ?? own?.profile
        let quality = encoder.quality ?? (encoder.bitrate == nil ? own?.quality : nil)
        movie.rateControl =
            quality.map { .quality($0) } ?? encoder.bitrate.map { .bitrate($0.bitsPerSecond) } ?? .standard
        movie.encoderSpeed = encoder.encoderSpeed
        movie.bitDepth = encoder.bitDepth ?? own?.bitDepth ?? (movie.videoCodec == .prores ? 10 : 8)
        return movie
    }

    /// The camera as it is to be found now, also after it was unplugged and came back.
    ///
    /// - Throws: ``RushesError`` if it is not there, or has no such format.
    func find() async throws -> VideoSourcePlan {
        guard let source = try await ChosenSources(cameras: [camera.source]).cameras.first else {
            throw RushesError(.badSource, "There is no camera to take shots from.")
        }
        return try VideoSourcePlan(
            source, shotsEvery: settings.interval, size: format.size, bitDepth: format.bitDepth)
    }
}
