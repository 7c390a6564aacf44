import GStreamer
import MediaTypes
import SystemPackage
import Threads

/// What the threads of an export tell and ask each other: how far it is, whether it pauses, whether it is over.
final class ExportStatus: Sendable {
    private let state = Locked(State())

    var snapshot: State { state.withLock { $0 } }
    var progress: ExportProgress { state.withLock { $0.run.progress } }
    /// Whether a person has stopped it.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Takes what has happened; never waits.
    func report(_ event: Event) { state.withLock { $0.take(event) } }

    /// Whether the thread that asks may continue; waits as long as the export is paused. Blocks.
    func mayContinue() -> Bool {
        while true {
            let (isPaused, isOver) = state.withLock { ($0.isPaused, $0.isStopped || $0.run.isAborted) }
            if isOver { return false }
            if !isPaused { return true }
            OwnThread.sleep(.milliseconds(50))
        }
    }
}

extension ExportStatus {
    /// What happens to an export.
    enum Event: Sendable {
        /// The request is accepted, and the input is opened.
        case opened
        /// Of several files, the work on one begins; nothing of an earlier one counts any more but that it is done.
        case part(Part)
        /// A run over the input, or over a sample of it, begins; nothing of an earlier one counts any more.
        case began(Work)
        /// This much of the progress that was left was made by what is over now: what begins from here on shares the rest.
        case reserved(Double)
        /// A track waits for the writer, or no longer does; by its name.
        case submitting(track: String)
        case submitted(track: String)
        /// A frame went into the encoder that is shown until this time of the movie.
        case frameSubmitted(until: MediaTime)
        /// A frame came out of the encoder.
        case frameEncoded(bytes: Int)
        /// Audio went to its encoder or the muxer up to this time of the movie, which leads where there is no frame.
        case audioSubmitted(until: MediaTime, isLeading: Bool)
        /// The input was looked at up to this time of the movie, before anything of it is written.
        case examined(until: MediaTime)
        /// All frames are with the writer: how many, when the last one begins, and where they are not decoded when the first one does, and
        /// how many are shown behind the part's end.
        case videoEnded(
            at: MediaTime, frames: Int, lastFrame: MediaTime?, longestFrame: MediaTime = .zero,
            firstFrame: MediaTime? = nil, lateFrames: Int = 0, decoded: Decoded? = nil)
        /// A frame is larger than the first one, which all are made as large as.
        case resized(ResizedFrames)
        /// All of an audio track is with the writer, and what of one that was decoded is silence where the input has gaps, what was left out
        /// where it has audio twice, and how loud it is at most where it becomes whole numbers; 1 is full scale.
        case audioEnded(
            at: MediaTime, track: Int, isDecoded: Bool, silence: FilledSilence? = nil, overlap: OverlappingAudio? = nil,
            decoded: MediaTime? = nil, peak: Double? = nil)
        /// The file has so many bytes by now.
        case written(bytes: Int64)
        /// So many bytes of the input, which has `size`, are copied by now.
        case copied(bytes: Int64, size: Int64)
        /// An image of the latest moment was written.
        case thumbnailWritten(FilePath)
        /// The last sample is with the writer, which completes the file.
        case finishing
        /// The complete file is looked at.
        case verifying
        /// The file has its name.
        case completed(size: Int64)
        /// This run over the input has failed; its threads are to end.
        case aborted
        /// A person holds the export, or lets it continue.
        case paused(Bool)
        /// A person ended the export; all threads are to end.
        case stopped
        /// Nothing more happens.
        case ended
    }

    /// What went into filters, where others came out: how many frames, and where the last one ends.
    struct Decoded: Sendable {
        var frames: Int
        var end: MediaTime
    }

    /// One of several files that are made one after another.
    struct Part: Sendable {
        /// From 1.
        var number: Int
        var count: Int
        var output: FilePath
        /// Which part of the whole work it is.
        var share: Range<Double>
        /// How long all files will be; nil where nobody knows.
        var duration: MediaTime?
        /// What those before it have.
        var earlier = (frames: 0, bytes: Int64(0), time: MediaTime.zero)
    }

    /// What a run over the input is for.
    struct Work: Sendable {
        var phase = ExportProgress.Phase.preparing
        /// A few words for people, where there are several steps.
        var step: String?
        /// Which part of the whole work it is.
        var share = 0.0..<1
        /// How long the movie will be; nil where nobody knows.
        var duration: MediaTime?
    }
}
