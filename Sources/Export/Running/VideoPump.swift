import Encoding
import GStreamer
import MediaTypes

/// Carries decoded frames.
struct VideoPump: TrackPump {
    let name = "video"
    let sink: any SampleSource
    let first: Sample?
    let status: ExportStatus
    let writer: MovieWriter
    let thumbnailer: Thumbnailer?
    /// See ``ExportPlan/delay``.
    let delay: MediaTime
    var timing: FrameTiming<Buffer>
    var sanitizer: TimestampSanitizer
    /// What libavfilter does to the frames; nil: nothing.
    private var filter: FilteredFrames?
    /// See ``FrameTiming``.
    private let speed: Double
    private var caps: Caps?
    /// What was handed over last: its time in the movie, and for how long it is presented.
    private var last: (time: MediaTime, duration: MediaTime)?

    init(
        sink: any SampleSource, first: Sample?, status: ExportStatus, writer: MovieWriter, thumbnailer: Thumbnailer?,
        delay: MediaTime, timing: FrameTiming<Buffer>, sanitizer: TimestampSanitizer, filter: String? = nil,
        speed: Double = 1
    ) {
        (self.sink, self.first, self.status, self.writer) = (sink, first, status, writer)
        (self.thumbnailer, self.delay, self.timing, self.sanitizer) = (thumbnailer, delay, timing, sanitizer)
        caps = first?.caps
        self.filter = filter.map { FilteredFrames($0) }
        self.speed = speed
    }

    mutating func take(_ sample: Sample) -> Bool {
        guard let buffer = sample.buffer else { return true }
        if let new = sample.caps, new != caps || filter?.hasBegun == false {
            guard begin(new) else { return false }
        }
        let answer = timing.take(buffer, time: sanitizer.validated(sample.movieTime), duration: buffer.duration)
        // Not one before a part, which its decoder only needs.
        if timing.hasBegun, !answer.isComplete { thumbnailer?.offer(sample) }
        return write(answer.written) && !answer.isComplete
    }

    /// Frames of these caps follow.
    private mutating func begin(_ new: Caps) -> Bool {
        let isFirst = new == caps
        caps = new
        if filter == nil, let resized = ResizedFrames(first?.caps, new) { status.report(.resized(resized)) }
        guard filter != nil else {
            writer.setVideoCaps(new)
            return true
        }
        var filtered: Caps?
        let isTaken = submitting { pump in
            let begun = try pump.filter?.begin(new)
            filtered = begun?.caps
            return begun?.left ?? []
        }
        if let filtered, !isFirst { writer.setVideoCaps(filtered) }
        return isTaken
    }

    mutating func end() {
        _ = write(timing.flush()) && submitting { try $0.filter?.finish() ?? [] }
        let decoded = ExportStatus.Decoded(frames: timing.written, end: timing.end.shown(atSpeed: 1 / speed))
        if let filter {
            status.report(
                .videoEnded(
                    at: filter.end, frames: filter.count, lastFrame: filter.latest, longestFrame: filter.longest,
                    decoded: decoded))
        } else {
            status.report(
                .videoEnded(
                    at: timing.end, frames: timing.written, lastFrame: timing.latest, longestFrame: timing.longest,
                    decoded: decoded))
        }
        if let last, last.duration > .second / 10 { writer.holdLastFrame(until: last.time + last.duration) }
        writer.endVideo()
    }

    private mutating func write(_ frames: FrameTiming<Buffer>.Run) -> Bool {
        for timed in frames {
            guard status.mayContinue() else { return false }
            let isTaken =
                filter == nil
                ? submit(timed.frame, timed.time, timed.duration)
                : submitting {
                    try $0.filter?.apply(to: timed.frame, time: timed.time, duration: timed.duration) ?? []
                }
            guard isTaken else { return false }
        }
        return true
    }

    /// Hands over what came out of the filter.
    private mutating func submitting(_ body: (inout Self) throws -> [FrameFilter.Timed]) -> Bool {
        do {
            return try body(&self).allSatisfy { submit($0.frame, $0.time, $0.duration) }
        } catch {
            writer.fail(error)
            return false
        }
    }

    private mutating func submit(_ frame: Buffer, _ time: MediaTime, _ duration: MediaTime) -> Bool {
        status.report(.frameSubmitted(until: time + duration))
        last = (time + delay, duration)
        return writer.write(frame: frame.retimed(presentationTime: time + delay, duration: duration))
    }
}
