import Encoding
import GStreamer
import MediaTypes

/// Carries decoded audio.
struct AudioPump: TrackPump {
    let name: String
    let sink: any SampleSource
    let first: Sample?
    let status: ExportStatus
    let writer: MovieWriter
    let track: Int
    /// Whether there is no frame whose time is the export's.
    let isLeading: Bool
    let bytesPerFrame: Int
    let rate: Int
    /// Whether the frames are counted, as their times are not to be believed.
    let countsFrames: Bool
    /// What every sample is multiplied by; they are in floating point then.
    let factor: Float?
    /// What libavfilter does to it; nil: nothing.
    let filter: SoundFilter?
    /// Looks at what becomes whole numbers; nil: nothing does.
    private var meter: PeakMeter?
    var timing: AudioTiming
    var sanitizer: TimestampSanitizer

    init(
        name: String, sink: any SampleSource, first: Sample?, status: ExportStatus, writer: MovieWriter, track: Int,
        isLeading: Bool,
        bytesPerFrame: Int, rate: Int, countsFrames: Bool, factor: Float? = nil, filter: SoundFilter? = nil,
        meter: PeakMeter? = nil, timing: AudioTiming, sanitizer: TimestampSanitizer
    ) {
        (self.name, self.sink, self.first, self.status, self.writer) = (name, sink, first, status, writer)
        (self.track, self.isLeading, self.bytesPerFrame, self.rate) = (track, isLeading, bytesPerFrame, rate)
        (self.countsFrames, self.factor, self.filter) = (countsFrames, factor, filter)
        (self.meter, self.timing, self.sanitizer) = (meter, timing, sanitizer)
    }

    /// Frames that came so far, and when the first of them did.
    private var counted = 0
    private var begin: MediaTime?

    /// Of silence, in bytes at most.
    private static let piece = 1 << 16

    mutating func take(_ sample: Sample) -> Bool {
        guard let buffer = sample.buffer, bytesPerFrame > 0 else { return true }
        // What cutting at nanoseconds leaves of a packet before the beginning is not even one frame long.
        if let duration = buffer.duration, duration < MediaTime.second / (2 * max(1, rate)),
            buffer.byteCount <= bytesPerFrame
        {
            return true
        }
        let frames = buffer.byteCount / bytesPerFrame
        let answer = timing.take(time: sanitizer.validated(time(of: sample, frames)), frames: frames)
        guard writeSilence(answer.silence, at: answer.position) else { return false }
        if !answer.taken.isEmpty {
            let position = answer.position + answer.silence
            let (begin, end) = (timing.time(of: position), timing.time(of: position + answer.taken.count))
            let bytes = answer.taken.lowerBound * bytesPerFrame..<answer.taken.upperBound * bytesPerFrame
            let whole = bytes.count == buffer.byteCount
            let part =
                whole
                ? buffer.retimed(presentationTime: begin, duration: end - begin)
                : buffer.part(bytes, presentationTime: begin, duration: end - begin)
            guard let part, let part = amplified(part), submit(part, at: position, until: end) else { return false }
        }
        return !answer.isComplete
    }

    private mutating func time(of sample: Sample, _ frames: Int) -> MediaTime? {
        guard countsFrames else { return sample.movieTime }
        defer { counted += frames }
        begin = begin ?? sample.movieTime
        return begin.map { $0 + timing.time(of: counted) }
    }

    /// nil where its memory cannot be read, which never happens to what a decoder has just written.
    private func amplified(_ buffer: Buffer) -> Buffer? {
        guard let factor else { return buffer }
        var buffer = buffer
        do {
            try buffer.withMutableBytes { bytes in
                let samples = bytes.bindMemory(to: Float.self)
                for index in samples.indices { samples[index] *= factor }
            }
            return buffer
        } catch {
            return nil
        }
    }

    mutating func end() {
        let end = timing.time(of: timing.position)
        _ = filtered { try $0.finish() }
        status.report(
            .audioEnded(
                at: filter?.end ?? end, track: track, isDecoded: true, silence: timing.silence, overlap: timing.overlap,
                decoded: end,
                peak: meter?.peak))
        writer.endAudio(of: track)
    }

    /// Hands over audio that has no gap to what came before.
    private mutating func submit(_ buffer: Buffer, at position: Int, until end: MediaTime) -> Bool {
        guard filter == nil else { return filtered { try $0.apply(to: buffer, at: position) } }
        return write(buffer, until: end)
    }

    private mutating func filtered(_ body: (SoundFilter) throws -> [Buffer]) -> Bool {
        guard let filter else { return true }
        do {
            return try body(filter).allSatisfy {
                write($0, until: ($0.presentationTime ?? .zero) + ($0.duration ?? .zero))
            }
        } catch {
            writer.fail(error)
            return false
        }
    }

    private mutating func write(_ buffer: Buffer, until end: MediaTime) -> Bool {
        meter?.take(buffer)
        guard writer.write(audio: buffer, to: track) else { return false }
        status.report(.audioSubmitted(until: end, isLeading: isLeading))
        return true
    }

    /// All formats that the reader lets pass are silent at zero.
    private mutating func writeSilence(_ frames: Int, at position: Int) -> Bool {
        var (position, left) = (position, frames)
        while left > 0 {
            guard status.mayContinue() else { return false }
            let count = min(left, max(1, Self.piece / bytesPerFrame))
            let (begin, end) = (timing.time(of: position), timing.time(of: position + count))
            let silence = [UInt8](repeating: 0, count: count * bytesPerFrame).withUnsafeBytes {
                Buffer(copying: $0, presentationTime: begin, duration: end - begin)
            }
            guard submit(silence, at: position, until: end) else { return false }
            position += count
            left -= count
        }
        return true
    }
}
