import Encoding
import GStreamer

/// Carries decoded frames.
struct VideoPump: TrackPump {
    let name = "video"
    let sink: AppSink
    let first: Sample?
    let meter: ExportStatus
    let writer: MovieWriter
    let thumbnailer: Thumbnailer?
    /// See ``ExportPlan/delay``.
    let delay: Nanoseconds
    var timing: FrameTiming<Buffer>
    var doubt: TimestampSanitizer
    private var caps: Caps?

    init(
        sink: AppSink, first: Sample?, meter: ExportStatus, writer: MovieWriter, thumbnailer: Thumbnailer?,
        delay: Nanoseconds, timing: FrameTiming<Buffer>, doubt: TimestampSanitizer
    ) {
        (self.sink, self.first, self.meter, self.writer) = (sink, first, meter, writer)
        (self.thumbnailer, self.delay, self.timing, self.doubt) = (thumbnailer, delay, timing, doubt)
        caps = first?.caps
    }

    mutating func take(_ sample: Sample) -> Bool {
        guard let buffer = sample.buffer else { return true }
        if let new = sample.caps, new != caps {
            caps = new
            writer.setVideoCaps(new)
        }
        let answer = timing.take(buffer, time: doubt.believed(sample.movieTime), duration: buffer.duration)
        thumbnailer?.offer(sample)
        return write(answer.written) && !answer.isComplete
    }

    mutating func end() {
        _ = write(timing.flush())
        meter.ended(at: timing.end, frames: timing.written)
        let timing = timing
        meter.change { ($0.longestFrame, $0.lastFrame) = (timing.longest, timing.latest) }
        writer.endVideo()
    }

    private func write(_ frames: [FrameTiming<Buffer>.Timed]) -> Bool {
        for timed in frames {
            guard meter.mayGoOn() else { return false }
            let end = timed.time + timed.duration
            meter.entered(end)
            let frame = timed.frame.retimed(presentationTime: timed.time + delay, duration: timed.duration)
            guard writer.write(frame: frame) else { return false }
        }
        return true
    }
}
