package import Encoding
import Errors
import Foundation
package import GStreamer
import LiveActivity
import MediaTypes
import MovieFiles
package import SystemPackage
import Threads

/// A timelapse that is being shot, and then the record of how it ended.
package final class TimelapseRecording: Sendable {
    /// What it reports, in order, ending after `finished`. For one reader.
    package let events: AsyncStream<TimelapseEvent>
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
        supervisor = try await TimelapseSupervisor(to: destination, settings, find: find)
        events = supervisor.events.stream
        task = Task { [supervisor] in await supervisor.run() }
    }

    /// Ends it now and completes the file.
    @discardableResult
    package func stop() async -> RecordingResult {
        supervisor.end(.stopped)
        return await task.value
    }

    /// Takes no shots until ``resume()``; the grid stays.
    package func pause() { supervisor.pause(true) }
    package func resume() { supervisor.pause(false) }
    package var isPaused: Bool { supervisor.isPaused }

    /// The file that is written to.
    package var path: FilePath? { supervisor.track.movie?.writer.path }

    /// The last shot, a raw frame with its caps; `nil` before the first.
    package var lastShot: Sample? { supervisor.track.shot }

    /// How many shots there are.
    package var shotCount: Int { supervisor.track.movie?.count ?? 0 }

    /// Waits for it to end.
    package var result: RecordingResult { get async { await task.value } }
}
