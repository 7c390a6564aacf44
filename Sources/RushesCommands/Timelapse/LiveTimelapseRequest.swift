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
    private let camera: CameraArgument
    private let format: FormatRequest

    /// - Throws: a `ValidationError`, or ``RushesError``: one sentence with the cure.
    init(_ command: TimelapseCommand) throws {
        let (live, encoder) = (command.live, command.encoding.encoder)
        let rate = command.pace.rate?.fraction ?? Fraction(30)
        if command.pace.speed != nil {
            throw ValidationError("--speed is for videos and photos; a camera's is --every.")
        }
        if command.source.fit != nil { throw ValidationError("--fit is for photos; leave it out.") }
        try encoder.refuseCopy(preset: command.encoding.preset, "A timelapse")
        settings = TimelapseSettings(
            every: try live.interval(length: command.pace.length, rate: rate),
            duration: live.duration.map { MediaTime(seconds: $0.seconds) }, hours: try live.hours(),
            minimumLuma: live.minLuma, rate: rate,
            exposure: live.rampExposure ? .ramped : live.lockExposure ? .locked : .automatic, standsBy: live.standby,
            isDaily: live.daily, resumes: live.resume)
        if live.every != nil {
            settings.maximumShots = command.pace.length.map { max(1, Int(($0.seconds * rate.doubleValue).rounded())) }
        }
        preview = live.preview.map { FilePath(typed: $0) }
        overwrites = command.finishing.overwrite
        settings.minimumFreeSpace = live.minFree?.bytes ?? 50_000_000
        var movie = MovieSettings()
        movie.videoCodec = encoder.codec ?? (encoder.profile == nil ? nil : .prores)
        movie.profile = encoder.profile
        movie.rateControl =
            encoder.quality.map { .quality($0) } ?? encoder.bitrate.map { .bitrate($0.bitsPerSecond) } ?? .standard
        movie.lookupTable = command.look.lut.map { FilePath(typed: $0) }
        movie.encoderSpeed = encoder.encoderSpeed
        movie.bitDepth = encoder.bitDepth ?? (movie.videoCodec == .prores ? 10 : 8)
        movie.metadata.software = "Rushes \(RushesCommand.version)"
        movie.metadata.location = live.location.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
        camera = try CameraArgument(live.camera ?? "default")
        guard camera.source != "none" else { throw ValidationError("--camera none gives no shots; name a camera.") }
        movie.orientation = camera.orientation
        settings.movie = movie
        destination = command.finishing.destination(command.file)
        try movie.check(container: destination.container(), hasVideo: true, hasAudio: false)
        format = FormatRequest(size: command.encoding.size, bitDepth: movie.bitDepth)
        if live.daily, command.finishing.overwrite {
            throw ValidationError(
                "--daily gives each movie a name of its own, so there is none to --overwrite; leave it out.")
        }
        if live.resume, command.finishing.overwrite {
            throw ValidationError("--resume goes on in the movie that --overwrite would replace; give one of them.")
        }
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
