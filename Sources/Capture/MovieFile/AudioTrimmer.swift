import CaptureAudio
import GStreamer

/// Cuts a microphone's row of samples to the recording's segments, to the sample, and counts them into the movie.
struct AudioTrimmer: Sendable {
    /// What goes into the movie next: samples of silence, then a part of the chunk.
    struct Piece: Sendable {
        var silence = 0
        var part: AudioChunk?
    }

    let rate: Int
    /// By how much the audio is moved later in the movie; negative is earlier.
    let delay: MediaTime
    /// Samples of each channel in the movie so far.
    private(set) var written = 0
    /// Whether the track has reached the recording's end.
    private(set) var isComplete = false
    /// Segments that are written to their ends.
    private var finished = 0

    init(rate: Int, delay: MediaTime = .zero) {
        self.rate = rate
        self.delay = delay
    }

    /// Takes the next chunk of a recording that has begun.
    ///
    /// - Returns: what goes into the movie, and whether nothing of the chunk can belong to a segment yet to come.
    mutating func take(_ chunk: AudioChunk, _ timeline: RecordingTimeline) -> (pieces: [Piece], isConsumed: Bool) {
        var pieces: [Piece] = []
        while timeline.segments.indices.contains(finished) {
            let segment = timeline.segments[finished]
            let first = chunk.position(at: segment.begin - delay) - segment.position
            let last = timeline.endPosition(of: finished).map { first + $0 }
            // What was filled with silence meanwhile is not written a second time.
            let next = first + written
            let part = chunk.clipped(to: next..<max(next, last ?? .max))
            let isFinished = last.map { chunk.end >= $0 } ?? false
            // What the microphone did not deliver, at the beginning or between two chunks, is silence in the movie.
            let reached = part?.position ?? (isFinished ? last ?? next : next)
            let piece = Piece(silence: max(0, reached - next), part: part)
            written += piece.silence + (part?.frames ?? 0)
            if piece.silence > 0 || part != nil { pieces.append(piece) }
            guard isFinished else { return (pieces, true) }
            finished += 1
        }
        isComplete = timeline.isComplete(with: finished)
        return (pieces, isComplete)
    }

    /// Goes on in silence up to a running time, but not beyond the end. Returns the samples of silence.
    mutating func fill(to time: MediaTime, _ timeline: RecordingTimeline) -> Int {
        var silence = 0
        while timeline.segments.indices.contains(finished) {
            let segment = timeline.segments[finished]
            let last = timeline.endPosition(of: finished)
            let count = max(0, min(timeline.position(of: time, in: segment), last ?? .max) - written)
            written += count
            silence += count
            guard let last, written >= last else { return silence }
            finished += 1
        }
        isComplete = timeline.isComplete(with: finished)
        return silence
    }
}
