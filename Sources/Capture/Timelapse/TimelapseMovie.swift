import Encoding
import Errors
import FileSystem
import Foundation
import GStreamer
import Imaging
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
    var earlier: Int
    /// Wall time of the first shot, by which the file is dated.
    fileprivate let firstShot: Locked<MediaTime?>
    /// How large the file may grow; `nil`: as large as it likes.
    var room: FileSpace?
    /// Bytes of the largest frame so far.
    fileprivate let largest: Locked<Int>
    /// What is told of each shot; `nil` where nobody needs to know.
    fileprivate let pending: PendingShots?
    /// What grows of its shots, and of those of files before and behind it; `nil` for nothing.
    let images: ShotImages?

    /// Shots in all files so far.
    var count: Int { earlier + before + shots }
    var duration: MediaTime { MediaTime(samples: before + shots, of: rate) }

    /// Whether the next shot may not find place in the file.
    var isFull: Bool {
        guard let room else { return false }
        let waiting = shots - (writer.framesInFile ?? max(0, shots - 1))
        return room.isFull(
            bytes: writer.bytesWritten, frames: before + shots, waiting: max(0, waiting),
            largest: largest.withLock { $0 })
    }

    /// Hands a shot over.
    ///
    /// - Parameters:
    ///   - shot: which one it is, and when it was due.
    ///   - limit: how many may wait for the encoder.
    mutating func append(_ frame: Buffer, _ shot: PendingShots.Shot, limit: Int) -> MovieWriter.AppendResult {
        firstShot.withLock { $0 = $0 ?? shot.wall }
        let time = MediaTime(samples: shots, of: rate)
        let timed = frame.retimed(
            presentationTime: time, duration: MediaTime(samples: shots + 1, of: rate) - time)
        pending?.note(shot, at: shots)
        let result = writer.append(frame: timed, limit: limit)
        if case .taken = result { shots += 1 } else { pending?.note(nil, at: shots) }
        return result
    }

    /// Completes the file.
    ///
    /// - Throws: ``RushesError`` or ``MovieFileError`` if no playable file could be left.
    func finish() async throws -> FinishedFile {
        var file = try await writer.finish(within: Self.flush, progressCounter: writer.countEncodedFrames())
        // It may have got another name since it was complete, or lost it.
        if let settled = try await writer.settle() {
            (file.path, file.fault) = (settled.path, file.fault ?? settled.fault)
        }
        return file
    }

    /// How long the encoder may hand out nothing of the few frames that it holds.
    private static let flush = Duration.seconds(30)
}

/// What all movies of a timelapse are made by.
struct TimelapsePlan: Sendable {
    let planned: MoviePlanner.Planned
    let rate: Fraction
    /// What is done to the shots.
    var look = ShotLook()

    /// - Parameter first: one of the camera's frames.
    /// - Throws: ``RushesError`` if no encoder fits.
    static func plan(
        _ settings: TimelapseSettings, _ first: CaptureInput.TimedSample, container: Container
    ) async throws -> MoviePlanner.Planned {
        guard let format = first.caps.first else {
            throw RushesError(.invalidSettings, "The camera does not say what format its frames have.")
        }
        // The encoder counts key frames and bits by the movie's rate, and needs to keep up with the shots only.
        let caps = Caps(format.name, format.fields.merging(["framerate": .fraction(settings.rate)]) { $1 })
        var movie = settings.movie
        movie.metadata.markTimelapse()
        movie.metadata.shotInterval = settings.interval
        var planned = try await MoviePlanner(settings: movie, container: container).plan(
            frames: .init(
                caps: caps, rate: settings.rate,
                arrivalRate: min(settings.rate.doubleValue, 1 / settings.interval.seconds)), audio: [],
            trying: first.buffer)
        planned.plan.writesEachFrame = planned.plan.isMovieFile
        return planned
    }

    /// Opens a file for more shots.
    ///
    /// - Throws: what the encoder or the disk refused; nothing is left then.
    func open(
        _ destination: MovieDestination, before: Int = 0, earlier: Int = 0, images: ShotImages? = nil
    ) async throws -> TimelapseMovie {
        let writer = try MovieWriter(planned.plan, destination: destination, options: planned.options)
        let pending = look.apply(to: writer, rate: rate, images)
        // Without a rate: a time code would count the movie's frames as if they were taken so fast.
        let firstShot = Locked<MediaTime?>(nil)
        writer.takeDates(rate: nil) { _ in firstShot.withLock { $0 }.map { MovieDate(Date(wall: $0), in: .current) } }
        let largest = Locked(0)
        writer.onEncodedFrame { frame in largest.withLock { $0 = max($0, frame.byteCount) } }
        let room = try await onOwnThread("rushes-destination") {
            largestFile(in: destination.folder).map { FileSpace(limit: $0) }
        }
        try await writer.start()
        return TimelapseMovie(
            writer: writer, destination: destination, rate: rate, before: before, earlier: earlier,
            firstShot: firstShot,
            room: room, largest: largest, pending: pending, images: images)
    }
}
