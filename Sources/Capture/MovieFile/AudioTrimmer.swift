import GStreamer

/// Cuts a microphone's row of samples to the take, to the sample, and counts them into the movie.
struct AudioTrimmer: Sendable {
    /// What goes into the movie next: samples of silence, then the part of the chunk that belongs to the take.
    struct Answer: Sendable {
        var silence = 0
        var part: AudioChunk?
    }

    let rate: Int
    /// Nanoseconds by which the audio is moved later in the movie; negative is earlier.
    let delay: Nanoseconds
    /// Samples of each channel in the movie so far.
    private(set) var written = 0
    /// Whether the track has reached the take's end.
    private(set) var isComplete = false

    init(rate: Int, delay: Nanoseconds = 0) {
        self.rate = rate
        self.delay = delay
    }

    /// Takes the next chunk of a take that has begun.
    mutating func take(_ chunk: AudioChunk, clock: RecordingTimeline) -> Answer {
        guard !isComplete, let start = clock.start else { return Answer() }
        let first = chunk.position(at: start - delay)
        let last = end(clock).map { first + $0 }
        // What was filled with silence meanwhile is not written a second time.
        let next = first + written
        let part = chunk.clipped(to: next..<max(next, last ?? .max))
        isComplete = last.map { chunk.end >= $0 } ?? false
        // What the microphone did not deliver, at the beginning or between two chunks, is silence in the movie.
        let reached = part?.position ?? (isComplete ? last ?? next : next)
        let silence = max(0, reached - next)
        written += silence + (part?.frames ?? 0)
        return Answer(silence: silence, part: part)
    }

    /// Goes on in silence up to a running time, but not beyond the end. Returns the samples of silence.
    mutating func fill(to time: Nanoseconds, clock: RecordingTimeline) -> Int {
        guard !isComplete, let start = clock.start else { return 0 }
        let last = end(clock)
        let silence = max(0, min(sample(time - start), last ?? .max) - written)
        written += silence
        isComplete = last.map { written >= $0 } ?? false
        return silence
    }

    /// The movie's length in samples, once the end is known.
    private func end(_ clock: RecordingTimeline) -> Int? {
        guard let start = clock.start, let end = clock.end else { return nil }
        return max(0, sample(end - start))
    }

    private func sample(_ time: Nanoseconds) -> Int { Int((time.seconds * Double(rate)).rounded()) }
}
