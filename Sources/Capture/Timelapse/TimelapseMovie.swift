import Encoding
import Errors
import Foundation
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// One file of a timelapse while shots are added to it: the shot of number n is shown at n/rate.
struct TimelapseMovie: Sendable {
    let writer: MovieWriter
    let destination: MovieDestination
    let rate: Fraction
    /// Shots in the file from before.
    let before: Int
    /// Shots that were handed over.
    private(set) var shots = 0
    /// Shots in earlier files.
    let earlier: Int
    /// Wall time of the first shot, by which the file is dated.
    fileprivate let firstShot: Locked<MediaTime?>

    /// Shots in all files so far.
    var count: Int { earlier + before + shots }
    var duration: MediaTime { MediaTime(samples: before + shots, of: rate) }

    /// Hands a shot over. False if the encoder has no place for it.
    ///
    /// - Parameters:
    ///   - wall: when it was due.
    ///   - limit: how many may wait for the encoder.
    mutating func append(_ frame: Buffer, at wall: MediaTime, limit: Int) -> Bool {
        firstShot.withLock { $0 = $0 ?? wall }
        let time = MediaTime(samples: shots, of: rate)
        let timed = frame.retimed(
            presentationTime: time, duration: MediaTime(samples: shots + 1, of: rate) - time)
        guard case .taken = writer.append(frame: timed, limit: limit) else { return false }
        shots += 1
        return true
    }

    /// Completes the file.
    ///
    /// - Throws: ``RushesError`` or ``MovieFileError`` if no playable file could be left.
    func finish() async throws -> FinishedFile {
        try await writer.finish(within: Self.flush, movement: writer.countEncodedFrames())
    }

    /// Seconds that the encoder may hand out nothing of the few frames that it holds.
    private static let flush = 30.0
}

/// What all movies of a timelapse are made by.
struct TimelapsePlan: Sendable {
    let planned: MoviePlanner.Planned
    let rate: Fraction

    /// - Parameter first: one of the camera's frames.
    /// - Throws: ``RushesError`` if no encoder fits.
    static func plan(
        _ settings: TimelapseSettings, _ first: CaptureInput.TimedSample, container: Container
    ) async throws -> MoviePlanner.Planned {
        guard let format = first.caps.first else {
            throw RushesError(.invalidSettings, "The camera does not say what its frames are.")
        }
        // The encoder counts key frames and bits by the movie's rate, and needs to keep up with the shots only.
        let caps = Caps(format.name, format.fields.merging(["framerate": .fraction(settings.rate)]) { $1 })
        var planned = try await MoviePlanner(settings: settings.movie, container: container).plan(
            frames: .init(
                caps: caps, rate: settings.rate,
                arrivalRate: min(settings.rate.doubleValue, 1 / settings.interval.seconds)), audio: nil,
            trying: first.buffer)
        planned.plan.writesEachFrame = planned.plan.isMovieFile
        return planned
    }

    /// Opens a file for more shots.
    ///
    /// - Throws: what the encoder or the disk refused; nothing is left then.
    func open(_ destination: MovieDestination, before: Int = 0, earlier: Int = 0) async throws -> TimelapseMovie {
        let writer = try MovieWriter(planned.plan, destination: destination, options: planned.options)
        // Without a rate: a time code would count the movie's frames as if they were taken so fast.
        let firstShot = Locked<MediaTime?>(nil)
        writer.takeDates(rate: nil) { _ in firstShot.withLock { $0 }.map { MovieDate(Date(wall: $0), in: .current) } }
        try await writer.start()
        return TimelapseMovie(
            writer: writer, destination: destination, rate: rate, before: before, earlier: earlier, firstShot: firstShot
        )
    }
}
