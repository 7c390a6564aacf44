import Encoding
import GStreamer

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
    private var caps: Caps?

    init(
        sink: any SampleSource, first: Sample?, status: ExportStatus, writer: MovieWriter, thumbnailer: Thumbnailer?,
        delay: MediaTime, timing: FrameTiming<Buffer>, sanitizer: TimestampSanitizer
    ) {
        (self.sink, self.first, self.status, self.writer) = (sink, first, status, writer)
        (self.thumbnailer, self.delay, self.timing, self.sanitizer) = (thumbnailer, delay, timing, sanitizer)
        caps = first?.caps
    }

    mutating func take(_ sample: Sample) -> Bool {
        guard let buffer = sample.buffer else { return true }
        if let new = sample.caps, new != caps {
            caps = new
            writer.setVideoCaps(new)
        }
        let answer = timing.take(buffer, time: sanitizer.validated(sample.movieTime), duration: buffer.duration)
        thumbnailer?.offer(sample)
        return write(answer.written) && !answer.isComplete
    }

    mutating func end() {
        _ = write(timing.flush())
        status.report(
            .videoEnded(
                at: timing.end, frames: timing.written, lastFrame: timing.latest, longestFrame: timing.longest))
        writer.endVideo()
    }

    private func write(_ frames: FrameTiming<Buffer>.Run) -> Bool {
        for timed in frames {
            guard status.mayContinue() else { return false }
            status.report(.frameSubmitted(until: timed.time + timed.duration))
            let frame = timed.frame.retimed(presentationTime: timed.time + delay, duration: timed.duration)
            guard writer.write(frame: frame) else { return false }
        }
        return true
    }
}
