public import Encoding
import Errors
import Foundation
package import GStreamer
import LiveActivity
import MediaTypes
import MovieFiles
package import SystemPackage
import Threads

/// A timelapse that is being shot with a camera, and then the record of how it ended.
///
/// Shots lie on a grid of the wall clock, which nothing that comes late shifts. Each is in the file as soon as it is taken, so a
/// kill costs the one that is under way. A camera that is lost is opened again, and what it missed is told.
public final class TimelapseRecording: Sendable {
    /// What it reports, in order, ending after `finished`. For one reader, of this or of ``events``.
    package let shotEvents: AsyncStream<TimelapseEvent>
    private let supervisor: TimelapseSupervisor
    private let task: Task<RecordingResult, Never>

    /// Opens the camera and begins. All that can be refused is refused here, before a file is created or touched.
    ///
    /// - Parameters:
    ///   - find: the camera, and how it is opened; asked again after it was lost.
    /// - Throws: ``RushesError`` if the camera, the destination or the settings cannot be had; `CancellationError`.
    package init(
        to destination: MovieDestination, _ settings: TimelapseSettings,
        find: @escaping @Sendable () async throws -> VideoSourcePlan
    ) async throws {
        supervisor = try await publishingErrors(as: .encoderFailed, on: destination.path.string) {
            try await TimelapseSupervisor(to: destination, settings, find: find)
        }
        shotEvents = supervisor.events.stream
        task = Task { [supervisor] in await supervisor.run() }
    }

    /// Opens the camera and begins. All that can be refused is refused here, before a file is created or touched.
    ///
    /// - Parameters:
    ///   - source: opened at the size and rate that serve the shots best.
    ///   - destination: a .mov, .mp4, .mkv or .webm file.
    /// - Throws: ``RushesError`` if the camera, the destination or the settings cannot be had; `CancellationError`.
    public convenience init(
        of source: VideoSource, to destination: MovieDestination, settings: TimelapseSettings
    ) async throws {
        let isKnown = Locked(true)
        try await self.init(to: destination, settings) {
            // It is looked for again only after it was closed or lost: its device file may be another one then.
            let isFirst = isKnown.withLock { known in
                defer { known = false }
                return known
            }
            return try VideoSourcePlan(
                isFirst ? source : await source.foundAgain(), shotsEvery: settings.interval, size: nil,
                bitDepth: settings.movie.bitDepth)
        }
    }

    /// What it reports, in order, ending after `finished`: `frames` of a progress are shots, the dropped ones those that were due and
    /// got none. For one reader.
    public var events: AsyncStream<RecordingEvent> { RecordingEvent.stream(of: shotEvents) }

    /// Ends it now and completes the file.
    @discardableResult
    public func stop() async -> RecordingResult {
        supervisor.end(.stopped)
        return await task.value
    }

    /// Takes no shots until ``resume()``; the grid stays.
    public func pause() { supervisor.pause(true) }
    /// Takes shots again after ``pause()``, from the next slot of the grid on.
    public func resume() { supervisor.pause(false) }
    package var isPaused: Bool { supervisor.isPaused }

    /// The file that is written to.
    package var path: FilePath? { supervisor.track.movie?.writer.path }

    /// The last shot, a raw frame with its caps; `nil` before the first.
    package var lastShot: Sample? { supervisor.track.shot }

    /// How many shots there are.
    package var shotCount: Int { supervisor.track.movie?.count ?? 0 }

    /// Waits for it to end.
    public var result: RecordingResult { get async { await task.value } }
}
