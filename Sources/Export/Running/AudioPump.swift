import Encoding
import GStreamer

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
    var timing: AudioTiming
    var sanitizer: TimestampSanitizer

    init(
        name: String, sink: any SampleSource, first: Sample?, status: ExportStatus, writer: MovieWriter, track: Int,
        isLeading: Bool,
        bytesPerFrame: Int, rate: Int, countsFrames: Bool, factor: Float? = nil, timing: AudioTiming,
        sanitizer: TimestampSanitizer
    ) {
        (self.name, self.sink, self.first, self.status, self.writer) = (name, sink, first, status, writer)
        (self.track, self.isLeading, self.bytesPerFrame, self.rate) = (track, isLeading, bytesPerFrame, rate)
        (self.countsFrames, self.factor, self.timing, self.sanitizer) = (countsFrames, factor, timing, sanitizer)
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
            guard let part, let part = amplified(part), writer.write(audio: part, to: track) else { return false }
            status.report(.audioSubmitted(until: end, isLeading: isLeading))
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
        status.report(
            .audioEnded(
                at: timing.time(of: timing.position), track: track, isDecoded: true, silence: timing.silence))
        writer.endAudio(of: track)
    }

    /// All formats that the reader lets pass are silent at zero.
    private func writeSilence(_ frames: Int, at position: Int) -> Bool {
        var (position, left) = (position, frames)
        while left > 0 {
            guard status.mayContinue() else { return false }
            let count = min(left, max(1, Self.piece / bytesPerFrame))
            let (begin, end) = (timing.time(of: position), timing.time(of: position + count))
            let silence = [UInt8](repeating: 0, count: count * bytesPerFrame).withUnsafeBytes {
                Buffer(copying: $0, presentationTime: begin, duration: end - begin)
            }
            guard writer.write(audio: silence, to: track) else { return false }
            status.report(.audioSubmitted(until: end, isLeading: isLeading))
            position += count
            left -= count
        }
        return true
    }
}
