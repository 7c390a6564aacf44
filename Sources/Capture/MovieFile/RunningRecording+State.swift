import GStreamer
import MediaTypes
import MovieFiles

extension RunningRecording {
    struct State {
        var timeline: RecordingTimeline
        var frames: FrameSelector?
        /// Frames behind a pause or the end that a frame before it may need.
        var waiting: [TimedSample] = []
        var videoCaps: Caps?
        /// Frames that may wait for the encoder before one is given up.
        var frameLimit: Int
        /// Of each microphone; `nil` where it has reached its end.
        var audio: [AudioTrack?]
        /// What makes one track of them; `nil` where each has its own.
        var mix: MicrophoneMix?
        /// Movies of their own of several cameras, in the cameras' order.
        var cameras: [CameraTrack]
        /// Of each of several cameras.
        var losses: [CameraLosses]
        var counts = Counts()
        var decimator = FrameDecimator()
        /// Whether samples have gone to an encoder.
        var isArmed = false
        var isStarted = false
        var start: StartPoint
        var chapters: [MovieInfo.Chapter] = []
    }

    /// When the movie begins, on the timeline of the encoders.
    enum StartPoint: Sendable, Equatable {
        /// With the first sample.
        case atOnce
        /// Once somebody asks for it.
        case standby
        /// With what comes from a time on, and lasts so long from there.
        case from(MediaTime, lasting: MediaTime?)

        /// Whether a sample of a time is in the movie, but for what lies before its start.
        func isReached(by time: MediaTime) -> Bool {
            switch self {
            case .atOnce: true
            case .standby: false
            case .from(let begin, _): time >= begin
            }
        }
    }

    /// What happened, in numbers.
    struct Counts: Sendable, Equatable {
        /// How much of the movie there is so far, by whichever track is further.
        var duration = MediaTime.zero
        var frames = 0
        /// Frames that came and are not in the movie.
        var droppedFrames = 0
        /// Those of them that the cameras' own movies lack.
        var cameraDroppedFrames = 0
        /// Frames that did not come when they should have.
        var missingFrames = 0
        /// The same by what the camera's driver says.
        var toldMissingFrames = 0
        /// Frames of the main one of several cameras that came when another's had been shown in their place.
        var lateFrames = 0
        /// What each of several cameras lost, the main one first.
        var cameraLosses: [Int] = []
        /// Frames that were left out to relieve the encoders, those of the cameras' own movies too.
        var leftOutFrames = 0
        /// Frames that wait for the encoder, and how many may.
        var waitingFrames = 0
        var waitingLimit = 1

        /// Frames that the main camera and the others lost, or gave too late.
        var lostFrames: Int { cameraLosses.dropFirst().reduce(mainLostFrames + lateFrames, +) }

        /// Frames that the main camera lost. What its driver tells of leaves a gap in the stream as well, unless the camera keeps to no
        /// rhythm, and so is not counted twice; nor is what its own frames lack and the composed ones too, unless others stood in.
        var mainLostFrames: Int { max(missingFrames, toldMissingFrames, cameraLosses.first ?? 0) }
    }
}

extension RunningRecording.Counts {
    /// Adds what a track has counted by itself.
    mutating func add(_ frames: FrameSelector) {
        droppedFrames += frames.lost
        missingFrames += frames.missing
    }
}
