import Encoding
import GStreamer

/// Carries what is not encoded again: compressed video and audio.
struct CopyPump: TrackPump {
    let name: String
    let sink: any SampleSource
    let first: Sample?
    let status: ExportStatus
    let writer: MovieWriter
    let kind: SourceStream.Kind
    let track: Int
    let isLeading: Bool
    var timing: CopyTiming
    /// Of FLAC; nil of all else.
    let blocks: FLACLength?

    mutating func take(_ sample: Sample) -> Bool {
        guard let buffer = sample.buffer else { return true }
        let answer = timing.take(
            presentationTime: sample.movieTime, decodeTime: sample.decodeTime,
            duration: blocks?.duration(of: buffer) ?? buffer.duration)
        switch answer {
        case .drop: return true
        case .end: return false
        case .write(let times):
            let copy = buffer.retimed(
                presentationTime: times.presentation, decodeTime: times.decode, duration: times.duration)
            let end = (times.presentation ?? times.decode ?? .zero) + (times.duration ?? .zero)
            return write(copy, end: end)
        }
    }

    private func write(_ buffer: Buffer, end: MediaTime) -> Bool {
        switch kind {
        case .video:
            status.report(.frameSubmitted(until: end))
            return writer.write(frame: buffer)
        case .audio:
            guard writer.write(audio: buffer, to: track) else { return false }
            status.report(.audioSubmitted(until: end, isLeading: isLeading))
            return true
        case .text: return true
        }
    }

    mutating func end() {
        switch kind {
        case .video:
            status.report(
                .videoEnded(
                    at: timing.end, frames: timing.count, lastFrame: timing.latest, firstFrame: timing.earliest))
            writer.endVideo()
        case .audio:
            status.report(.audioEnded(at: timing.end, decodedTrack: nil))
            writer.endAudio(of: track)
        case .text: break
        }
    }
}
