import Encoding
import GStreamer

/// Carries decoded sound.
struct SoundPump: TrackPump {
    let name: String
    let sink: AppSink
    let first: Sample?
    let meter: ExportMeter
    let writer: MovieWriter
    let track: Int
    /// Whether there is no picture whose time is the export's.
    let isLeading: Bool
    let bytesPerFrame: Int
    let rate: Int
    var timing: SoundTiming
    var doubt: TimeDoubt

    /// Of silence, in bytes at most.
    private static let piece = 1 << 16

    mutating func take(_ sample: Sample) -> Bool {
        guard let buffer = sample.buffer, bytesPerFrame > 0 else { return true }
        // What cutting at nanoseconds leaves of a packet before the beginning is not even one frame long.
        if let duration = buffer.duration, duration < Nanoseconds.second / Nanoseconds(2 * max(1, rate)),
            buffer.byteCount <= bytesPerFrame
        {
            return true
        }
        let answer = timing.take(time: doubt.believed(sample.movieTime), frames: buffer.byteCount / bytesPerFrame)
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
            guard let part, writer.write(sound: part, to: track) else { return false }
            meter.heard(end, isLeading: isLeading)
        }
        return !answer.isComplete
    }

    mutating func end() {
        meter.ended(at: timing.time(of: timing.position))
        writer.endSound(of: track)
    }

    /// All formats that the reader lets pass are silent at zero.
    private func writeSilence(_ frames: Int, at position: Int) -> Bool {
        var (position, left) = (position, frames)
        while left > 0 {
            guard meter.mayGoOn() else { return false }
            let count = min(left, max(1, Self.piece / bytesPerFrame))
            let (begin, end) = (timing.time(of: position), timing.time(of: position + count))
            let silence = [UInt8](repeating: 0, count: count * bytesPerFrame).withUnsafeBytes {
                Buffer(copying: $0, presentationTime: begin, duration: end - begin)
            }
            guard writer.write(sound: silence, to: track) else { return false }
            meter.heard(end, isLeading: isLeading)
            position += count
            left -= count
        }
        return true
    }
}
