import GStreamer

/// Cuts a microphone's row of samples to the take, to the sample, and counts them into the movie.
struct SoundGate: Sendable {
    enum Answer: Sendable {
        /// The take's beginning is not known yet: keep the chunk.
        case hold
        /// Nothing of it belongs to the take.
        case drop
        /// Silence before it (samples), then this part of it.
        case pass(silence: Int, SoundChunk)
        /// As `pass`, and the track is complete.
        case end(silence: Int, SoundChunk?)
    }

    /// Nanoseconds by which the sound is moved later in the movie; negative is earlier.
    let delay: Nanoseconds
    /// Samples of each channel in the movie so far.
    private(set) var written = 0
    private(set) var isComplete = false

    init(delay: Nanoseconds = 0) { self.delay = delay }

    mutating func decide(_ chunk: SoundChunk, clock: TakeClock) -> Answer {
        guard !isComplete else { return .drop }
        guard let start = clock.start else { return .hold }
        let first = chunk.position(at: start - delay)
        let last = clock.end.map { chunk.position(at: $0 - delay) } ?? .max
        let part = chunk.clipped(to: min(first, last)..<last)
        if chunk.end >= last {
            isComplete = true
            // What the microphone did not deliver, at the beginning or between two chunks, is silence in the movie.
            let silence = max(0, (part?.position ?? last) - first - written)
            written += silence + (part?.frames ?? 0)
            return .end(silence: silence, part)
        }
        guard let part else { return .drop }
        let silence = max(0, part.position - first - written)
        written += silence + part.frames
        return .pass(silence: silence, part)
    }
}
