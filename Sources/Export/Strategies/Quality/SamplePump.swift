import Encoding
import GStreamer

/// Carries some spans of decoded frames, one right behind the other.
struct SamplePump: TrackPump {
    let name = "samples"
    let sink: any SampleSource
    let first: Sample?
    let status: ExportStatus
    let writer: MovieWriter
    let reader: MediaReader
    let rate: Fraction?
    let usualRate: Fraction?
    private var waiting: ArraySlice<Range<MediaTime>>
    private var timing: FrameTiming<Buffer>
    /// Whether the first sample, which was fetched before, has been seen.
    private var hasBegun = false
    /// Where the spans before this one end in the samples, and how many frames they have.
    private var (before, count): (MediaTime, Int) = (.zero, 0)

    init(
        _ spans: [Range<MediaTime>], of video: OpenedTrack, reader: MediaReader, writer: MovieWriter,
        status: ExportStatus, rate: Fraction?
    ) {
        (sink, first, self.status) = (video.track.sink, video.begin, status)
        (self.writer, self.reader, self.rate) = (writer, reader, rate)
        usualRate = video.caps.first?["framerate"]?.fractionValue
        waiting = spans[...]
        timing = Self.timing(spans.first ?? MediaTime.zero..<MediaTime.zero, rate, usualRate)
    }

    mutating func take(_ sample: Sample) -> Bool {
        guard let buffer = sample.buffer else { return true }
        if !hasBegun {
            hasBegun = true
            // Once for each span: where a seek comes out too early, what lies between is read.
            if isFar(sample) { seek() }
        }
        let answer = timing.take(buffer, time: sample.movieTime, duration: buffer.duration)
        guard write(answer.written) else { return false }
        guard answer.isComplete else { return true }
        close()
        guard !waiting.isEmpty else { return false }
        seek()
        return true
    }

    mutating func end() {
        _ = write(timing.flush())
        close()
        status.report(.videoEnded(at: before, frames: count, lastFrame: nil))
        writer.endVideo()
    }

    /// Behind the span that is done, before the next one.
    private mutating func close() {
        guard !waiting.isEmpty else { return }
        before += timing.end
        count += timing.written
        waiting.removeFirst()
        if let next = waiting.first { timing = Self.timing(next, rate, usualRate) }
    }

    private func isFar(_ sample: Sample) -> Bool {
        guard let begin = waiting.first?.lowerBound, let time = sample.movieTime else { return false }
        return begin - time > .second
    }

    /// Goes near the span. Where that cannot be done, what lies before it is read and passed over.
    private func seek() {
        if let begin = waiting.first?.lowerBound { _ = reader.pipeline.bin.element.seek(to: begin) }
    }

    private func write(_ frames: FrameTiming<Buffer>.Run) -> Bool {
        for timed in frames {
            guard status.mayContinue() else { return false }
            let frame = timed.frame.retimed(presentationTime: before + timed.time, duration: timed.duration)
            guard writer.write(frame: frame) else { return false }
        }
        return true
    }

    private static func timing(_ span: Range<MediaTime>, _ rate: Fraction?, _ usual: Fraction?)
        -> FrameTiming<Buffer>
    {
        FrameTiming(
            origin: span.lowerBound, end: span.upperBound, isTrimmed: true, rate: rate, usualRate: usual)
    }
}
