import Composition
import Errors
public import Encoding
public import Imaging
import LiveActivity
public import MediaTypes
public import SystemPackage
import Threads

/// A running recording, and then the record of how it ended. It continues when this object is released.
public final class Recording: Sendable {
    /// What the recording reports, in order, ending after `finished`. For one reader.
    public let events: AsyncStream<RecordingEvent>

    let supervisor: RecordingSupervisor
    private let task: Task<RecordingResult, Never>

    init(_ supervisor: RecordingSupervisor, _ task: Task<RecordingResult, Never>) {
        events = supervisor.events.stream
        (self.supervisor, self.task) = (supervisor, task)
    }

    /// Where its file is now, which beside an old one of the name is another place than in the end; `nil` once it is complete.
    public var path: FilePath? { supervisor.writer.path }

    /// Ends the recording now: every track up to this moment, then the file is completed. Later calls only wait.
    @discardableResult
    public func stop() async -> RecordingResult {
        supervisor.handle(.end(.stopped))
        return await task.value
    }

    /// Begins the movie of a recording that was prepared: with what was kept before this moment, as far as that was asked for. Told as
    /// ``RecordingEvent/started(_:)``; where the file cannot be begun, a warning says why and the recording waits on. Ignored once it
    /// has begun.
    public func start() { supervisor.handle(.start) }

    /// The same, of one that follows another without a gap.
    ///
    /// - Parameter end: ``end`` of that; `nil` where it follows none.
    package func start(after end: MediaTime?) { supervisor.start(after: end) }

    /// How players turn the movie of a recording that was prepared, from the angle that its settings say on; ignored once it has begun, as
    /// a movie keeps the angle that it began with.
    public func setRotation(_ rotation: MovieOrientation.Rotation) { supervisor.rotation.withLock { $0 = rotation } }

    /// Writes the last seconds to a file of their own, from the key frame before them on, without interrupting anything that is
    /// recorded; also while the recording waits for its start, and of both sides of it. Told as ``RecordingEvent/saved(_:)``.
    ///
    /// - Parameters:
    ///   - duration: up to what `maxReplayDuration` of ``RecordingLimits`` or a pre-roll keeps in memory.
    ///   - destination: a file of the movie's container; beside it, "take – replay.mov", where left out.
    /// - Throws: ``RushesError`` if nothing is kept, as once the recording is over, or the file cannot be had; what is kept is kept on.
    @discardableResult
    public func save(last duration: Duration, to destination: MovieDestination? = nil) async throws -> RecordingPart {
        try await publishingErrors(as: .writeFailed, on: destination?.path.string) {
            try await supervisor.save(MediaTime(duration), to: destination)
        }
    }

    /// Leaves out what comes from now on, until ``resume()``; told as ``RecordingEvent/paused(_:)``. The devices keep running,
    /// and the file stays open. With a camera the pause begins with its next frame, so that the movie's frames stay evenly apart; video and
    /// audio are cut at the same moment. Ignored before the first frame, while paused and after the end.
    public func pause() { supervisor.handle(.pause) }

    /// Continues after ``pause()``, with a camera at its next frame; told as ``RecordingEvent/resumed(_:)``. Ignored while nothing is
    /// paused.
    public func resume() { supervisor.handle(.resume) }

    /// The session's running time at which the movie ends, once that is known.
    package var end: MediaTime? { supervisor.recording.timeline.end }

    /// Whether its movie has begun, which one that was prepared waits for.
    package var hasBegun: Bool { supervisor.hasBeenStarted }

    /// Whether it is paused.
    package var isPaused: Bool { supervisor.recording.isPaused }

    /// Continues in another file, "take-002.mov" and so on, with a key frame about a quarter of a second from now; told as
    /// ``RecordingEvent/finishedPart(_:)`` once the file before is complete. Where no other file can be begun, a warning says
    /// why and this one is continued. Ignored while another is being opened.
    public func split() { supervisor.handle(.split) }

    /// Keeps the file that is written now, where `maxKeptFileSize` of ``RecordingLimits`` would let it be deleted later; while one follows another,
    /// both. Told as ``RecordingEvent/pinned(_:)``.
    public func pin() { supervisor.pin() }

    /// Gives the frames of several cameras other places in the movie, with the next frame; ignored with one camera.
    ///
    /// - Parameter duration: of the way there, on which they move, grow and fade; zero for a cut.
    /// - Throws: ``RushesError`` if the cameras' frames cannot be placed so.
    public func setLayout(_ layout: Layout, over duration: Duration = .milliseconds(400)) throws {
        try supervisor.composition?.check(layout)
        supervisor.handle(.layout(.to(layout), over: MediaTime(duration)))
    }

    /// Lets the main camera and the first inset change places, with the next frame; ignored with one camera.
    public func swapCameras(over duration: Duration = .milliseconds(400)) {
        supervisor.handle(.layout(.swap, over: MediaTime(duration)))
    }

    /// Shows one of several cameras alone, or all again as they stood before, with the next frame; ignored with one camera.
    public func show(_ cameras: ShownCameras, over duration: Duration = .milliseconds(400)) {
        supervisor.handle(.layout(.show(cameras), over: MediaTime(duration)))
    }

    /// Names the present place in the movie, which gets a chapter there. Told as ``RecordingEvent/marked(_:)``; ignored
    /// before the first frame and after the end. Only QuickTime and MP4 files keep it.
    ///
    /// - Parameter title: left out, or of spaces alone, "Chapter 1" and so on.
    public func mark(_ title: String? = nil) { supervisor.handle(.mark(title)) }

    /// Waits for the recording to end.
    public var result: RecordingResult { get async { await task.value } }
}
