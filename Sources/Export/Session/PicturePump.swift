import Encoding
import GStreamer

/// Carries decoded pictures.
struct PicturePump: TrackPump {
    let name = "picture"
    let sink: AppSink
    let first: Sample?
    let meter: ExportMeter
    let writer: MovieWriter
    let thumbnailer: Thumbnailer?
    /// See ``ExportPlan/delay``.
    let delay: Nanoseconds
    var timing: PictureTiming<Buffer>
    var doubt: TimeDoubt
    private var caps: Caps?

    init(
        sink: AppSink, first: Sample?, meter: ExportMeter, writer: MovieWriter, thumbnailer: Thumbnailer?,
        delay: Nanoseconds, timing: PictureTiming<Buffer>, doubt: TimeDoubt
    ) {
        (self.sink, self.first, self.meter, self.writer) = (sink, first, meter, writer)
        (self.thumbnailer, self.delay, self.timing, self.doubt) = (thumbnailer, delay, timing, doubt)
        caps = first?.caps
    }

    mutating func take(_ sample: Sample) -> Bool {
        guard let buffer = sample.buffer else { return true }
        if let new = sample.caps, new != caps {
            caps = new
            writer.setPictureCaps(new)
        }
        let answer = timing.take(buffer, time: doubt.believed(sample.movieTime), duration: buffer.duration)
        thumbnailer?.offer(sample)
        return write(answer.written) && !answer.isComplete
    }

    mutating func end() {
        _ = write(timing.flush())
        meter.ended(at: timing.end, pictures: timing.written)
        let timing = timing
        meter.change { ($0.longestPicture, $0.lastPicture) = (timing.longest, timing.latest) }
        writer.endPictures()
    }

    private func write(_ pictures: [PictureTiming<Buffer>.Timed]) -> Bool {
        for timed in pictures {
            guard meter.mayGoOn() else { return false }
            let end = timed.time + timed.duration
            meter.entered(end)
            let picture = timed.picture.retimed(presentationTime: timed.time + delay, duration: timed.duration)
            guard writer.write(picture: picture) else { return false }
        }
        return true
    }
}
