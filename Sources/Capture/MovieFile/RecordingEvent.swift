import Encoding
import LiveActivity
public import MediaTypes
public import MovieFiles
public import SystemPackage

/// What a recording reports while it runs.
///
/// `started` comes once, with the first frame or sample in the movie, and not at all where none comes. `progress` comes twice a
/// second from the request on, so also before `started`; `warning` at any time before the end. `finishing` and then `finished`
/// come once each, and `finished` is the last event.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum RecordingEvent: Sendable {
    /// A recording that waits for ``Recording/start()`` is ready for it: the encoders have the devices' first frame.
    case standby(RecordingStart)
    case started(RecordingStart)
    case progress(RecordingProgress)
    /// The take has ended and its file is being completed.
    case finishing(RecordingProgress)
    /// Nothing is recorded until ``resumed(_:)``; how far the movie is. ``progress(_:)`` continues to come.
    case paused(RecordingProgress)
    case resumed(RecordingProgress)
    /// The frames are another camera's from now on, as ``CaptureSession/configure(_:)`` asked for; its name.
    case switchedCamera(String)
    /// Something to know that does not end the take.
    case warning(String)
    /// A place in the movie was named.
    case marked(MovieInfo.Chapter)
    /// A file is complete that another one has followed.
    case finishedPart(RecordingPart)
    /// The file that is written now is not deleted for others, as ``Recording/pin()`` asked for.
    case pinned(FilePath)
    /// An old file was deleted, as all together were larger than `maxKeptFileSize` of ``RecordingLimits``.
    case deletedPart(RecordingPart)
    /// The last seconds are in a file of their own, as ``Recording/save(last:to:)`` was asked for.
    case saved(RecordingPart)
    /// Somebody gave the file, or its folder, another name; the take goes on there.
    case moved(FilePath)
    case finished(RecordingResult)
}

/// What is known when a recording has its first frame.
public struct RecordingStart: Sendable, Equatable {
    /// Where the movie will be.
    package var path: FilePath
    /// What was chosen, in one line for people.
    public var summary: String
    /// Seconds from the request to the first frame at the encoder.
    package var latency: Double
}

/// How far a recording is.
public struct RecordingProgress: Sendable, Equatable {
    /// How much of the movie there is so far.
    public var duration = MediaTime.zero
    /// How long the movie will be, where it has a limit and has begun.
    package var wholeDuration: MediaTime?
    /// Bytes in the file so far.
    public var bytes: Int64 = 0
    /// Frames handed to the encoder.
    public var frames = 0
    /// Frames that were dropped because the encoder was too slow, or that the camera lost.
    public var droppedFrames = 0
    /// The loudness of each microphone since the last ``RecordingEvent/progress(_:)``, the main one first; `nil` where no audio has come
    /// in between. Empty in ``RecordingEvent/finishing(_:)`` and ``RecordingResult/progress``.
    public var levels: [AudioLevel?] = []
    /// The same of the main microphone.
    package var level: AudioLevel? { levels.first ?? nil }
    /// How much longer the disk's free space lasts at the present rate; `nil` until that is known.
    public var remainingTime: Duration?
    /// Why no frames come although the take goes on, in a few words; `nil` while they do.
    package var interruption: String?

    /// A take that has just begun.
    package init() {}
}

/// Why a recording ended.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum RecordingEndReason: Sendable, Equatable {
    /// Someone asked for it.
    case stopped
    case maximumDurationReached
    case maximumSizeReached
    case minimumFreeSpaceReached
    /// A device stopped delivering; its name and what it said.
    case deviceLost(String, String)
    /// Encoding or writing failed.
    case writingFailed(String)
    /// Somebody deleted or replaced the file; what happened. What was recorded is kept under another name.
    case fileLost(String)

    /// Whether a person or a limit ended the recording, and not a fault.
    public var isIntended: Bool {
        switch self {
        case .stopped, .maximumDurationReached, .maximumSizeReached, .minimumFreeSpaceReached: true
        case .deviceLost, .writingFailed, .fileLost: false
        }
    }
}

/// How a recording ended: why, and, separately, whether the file is good.
public struct RecordingResult: Sendable, Equatable {
    /// Why it ended.
    public var reason: RecordingEndReason
    /// Whether there was a start, for one that waited for it.
    package var hasBegun = true
    /// Whether the file, or each of its parts, is there, complete and playable to its end.
    public var isPlayable: Bool
    /// Where the last file is; `nil` if there is none.
    public var path: FilePath?
    /// The files before the last one, in order, but for those that were deleted.
    public var parts: [RecordingPart] = []
    /// How many of the recording's files were deleted, which the numbers count too.
    package var deletedFiles = 0
    /// Each camera's own movie, where those were asked for, the main one's first.
    public var cameraMovies: [RecordingPart] = []
    /// Of the frames that count as dropped, those that only these movies lack.
    package var framesDroppedElsewhere = 0
    /// The projects for editors that take those up again.
    package var projectFiles: [FilePath] = []
    /// How far it came; the numbers of frames, seconds and bytes are the files' own.
    public var progress: RecordingProgress
    /// What kept the file from being good, or `nil`.
    public var problem: String?
    /// The devices that were lost while the recording continued, in order.
    public var losses: [DeviceLoss] = []
}

/// A device that was lost while the recording continued without it.
public struct DeviceLoss: Sendable, Equatable {
    /// What the device is called.
    public var name: String
    /// Whether it is one of several cameras, or the microphone.
    package var kind: CaptureDevice.Kind
    /// Why it delivered no more, in a few words.
    public var words: String
    /// Where in the movie that was noticed.
    public var time: MediaTime
    /// Where in the movie it was back, or another was there for it; `nil` if neither came.
    package var end: MediaTime?
    /// What was recorded in its place from then on, if it was another.
    package var successor: String?
}

extension Mailbox where Element == RecordingEvent {
    /// For a listener that may be slow or absent: progress that was not read is replaced by the next, nothing else is ever lost.
    convenience init() {
        self.init(capacity: 1) { new, waiting in
            if case .progress = new, case .progress = waiting { true } else { false }
        }
    }
}
