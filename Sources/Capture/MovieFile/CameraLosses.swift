import GStreamer
import MediaTypes

/// Counts what one of several composed cameras, or its driver, loses of a recording. The composed frames tell that of none but the main
/// camera: they go on without an inset's. Pure.
struct CameraLosses: Sendable {
    private var gaps: FrameGaps?
    private var sequence = FrameSequence()
    private var caps: Caps?
    /// The span of the recording in which the last frame lay.
    private var segment: Int?
    private var last: MediaTime?
    /// When the last frame came, whether it was recorded or not; `nil` where nothing is known of what follows it.
    private var seen: MediaTime?
    /// By what the camera's driver says.
    private var told = 0

    /// Frames that did not come when they should have. What a driver tells of leaves a gap as well.
    var frames: Int { max(gaps?.missing ?? 0, told) }

    /// - Parameter rate: as the camera promises; `nil` where it does not, and nobody can tell where a frame is missing.
    init(rate: Fraction?) {
        gaps = rate.flatMap { $0.doubleValue > 0 ? FrameGaps(frameDuration: $0.frameDuration) : nil }
    }

    /// Takes note of a frame that came.
    mutating func add(_ frame: CaptureInput.TimedSample, _ timeline: RecordingTimeline) {
        if frame.caps != caps {
            let rate = frame.caps.first?["framerate"]?.fractionValue
            if caps != nil, let rate, rate.doubleValue > 0, rate.frameDuration != gaps?.frameDuration {
                gaps?.follow(frameDuration: rate.frameDuration)
            }
            caps = frame.caps
        }
        let current = timeline.segments.lastIndex { $0.begin <= frame.time && frame.time < $0.end ?? .max }
        guard let current, frame.time < timeline.end ?? .max else {
            return skip(frame)
        }
        // What lies between two spans is nobody's loss.
        if current != segment { begin(timeline.segments[current].begin) }
        segment = current
        seen = frame.time
        let distance = (frame.time - (last ?? frame.time)) / (gaps?.frameDuration ?? .second)
        last = frame.time
        let lost = sequence.lost(before: frame.number, distance: distance)
        gaps?.add(frame.time, lost: sequence.isBelieved ? lost : nil, isContinued: sequence.isContinued)
    }

    /// Takes note of a frame before which others were left out on purpose, or which is not recorded.
    mutating func skip(_ frame: CaptureInput.TimedSample) {
        interrupt()
        seen = frame.time
        sequence.skip(frame.number)
    }

    mutating func add(_ loss: FrameLoss, _ timeline: RecordingTimeline) {
        if timeline.holds(loss.time) { told += loss.frames }
    }

    /// Counts nothing as missing until the next frame: why none came is told in other words.
    mutating func interrupt() {
        gaps?.finish(at: nil)
        seen = nil
    }

    /// Counts from the last frame's place before a span on: what is lost between the span's begin and its first frame is part of it.
    private mutating func begin(_ time: MediaTime) {
        let before = seen
        interrupt()
        guard let before, let gaps else { return }
        // A frame may come before the main camera's that began the span.
        let places = max(0, (time - before - .nanosecond).quotient(dividingBy: gaps.frameDuration))
        self.gaps?.add(before + places * gaps.frameDuration)
    }

    /// Counts what is missing up to the recording's end.
    mutating func finish(_ timeline: RecordingTimeline) { gaps?.finish(at: timeline.end) }
}
