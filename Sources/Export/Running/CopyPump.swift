import Encoding
import GStreamer
import Workarounds

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
    /// Of packets that say how long they are; nil of all else.
    var lengths: PacketLengths?
    /// Frames behind the part's end, which one before it may need, and where they end in the movie.
    private var waiting: [(frame: Buffer, end: MediaTime)] = []
    /// How long the movie's last frame is presented, where the index tells and the part includes its end.
    private let lastFrame: MediaTime?

    init(
        name: String, sink: any SampleSource, first: Sample?, status: ExportStatus, writer: MovieWriter,
        kind: SourceStream.Kind, track: Int, isLeading: Bool, timing: CopyTiming, lengths: PacketLengths?,
        lastFrame: MediaTime? = nil
    ) {
        self.lastFrame = lastFrame
        (self.name, self.sink, self.first, self.status, self.writer) = (name, sink, first, status, writer)
        (self.kind, self.track, self.isLeading, self.timing, self.lengths) = (kind, track, isLeading, timing, lengths)
    }

    mutating func take(_ sample: Sample) -> Bool {
        guard let buffer = sample.buffer else { return true }
        let own = lengths?.time(of: buffer)
        let answer = timing.take(
            presentationTime: own ?? sample.movieTime, decodeTime: own ?? sample.decodeTime,
            duration: lengths?.duration(of: buffer) ?? buffer.duration)
        switch answer {
        case .drop: return true
        case .end: return false
        case .wait(let times):
            waiting.append(timed(buffer, times))
            return true
        case .write(let times):
            let samples = waiting + [timed(buffer, times)]
            waiting = []
            return samples.allSatisfy { write($0.frame, end: $0.end) }
        }
    }

    private func timed(_ buffer: Buffer, _ times: CopyTiming.Times) -> (frame: Buffer, end: MediaTime) {
        let copy = buffer.retimed(
            presentationTime: times.presentation, decodeTime: times.decode, duration: times.duration)
        return (copy, (times.presentation ?? times.decode ?? .zero) + (times.duration ?? .zero))
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
            // Parsers give it the length that the stream's rate has.
            let held = lastFrame.map { timing.latest + $0 } ?? .zero
            if held > timing.end { writer.holdLastFrame(until: held) }
            status.report(
                .videoEnded(
                    at: max(timing.end, held), frames: timing.count, lastFrame: timing.latest,
                    firstFrame: timing.earliest,
                    lateFrames: timing.lateCount))
            writer.endVideo()
        case .audio:
            status.report(.audioEnded(at: timing.end, track: track, isDecoded: false))
            writer.endAudio(of: track)
        case .text: break
        }
    }
}
