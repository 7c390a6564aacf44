import GStreamer

/// The audio of one take: from the microphone's row of samples to buffers timed in the movie.
struct AudioTrack: Sendable {
    private var gate: AudioTrimmer
    private var meter: LevelMeter
    private let channels: Int
    /// Audio from before the first frame came.
    private var held: [AudioChunk] = []
    private var heldFrames = 0

    /// A camera that takes longer for its first frame than these seconds loses audio, not memory.
    private static let longestHeld = 10
    /// Silence is handed on in pieces of a second, so that a long one does not need much memory at once.
    private var piece: Int { gate.rate }

    init(rate: Int, channels: Int, delay: Nanoseconds) {
        gate = AudioTrimmer(rate: rate, delay: delay)
        meter = LevelMeter(channels: channels)
        self.channels = channels
    }

    /// Seconds in the movie so far.
    var duration: Double { Double(gate.written) / Double(gate.rate) }
    /// Whether the track has reached the take's end.
    var isComplete: Bool { gate.isComplete }

    /// The loudness of what went into the movie since the last call.
    mutating func readLevel() -> AudioLevel? { meter.read() }

    /// Takes a chunk; returns what goes into the movie now.
    mutating func take(_ chunk: AudioChunk, clock: RecordingTimeline) -> [Buffer] {
        held.append(chunk)
        heldFrames += chunk.frames
        guard clock.start != nil else {
            while heldFrames > Self.longestHeld * gate.rate { heldFrames -= held.removeFirst().frames }
            return []
        }
        defer { (held, heldFrames) = ([], 0) }
        return held.flatMap { chunk -> [Buffer] in
            var position = gate.written
            let answer = gate.take(chunk, clock: clock)
            var buffers = silence(answer.silence, from: &position)
            if let part = answer.part {
                meter.add(part.samples)
                buffers.append(buffer(part.samples, at: position))
            }
            return buffers
        }
    }

    /// Goes on in silence up to a running time, or the take's end.
    mutating func fill(to time: Nanoseconds, clock: RecordingTimeline) -> [Buffer] {
        var position = gate.written
        return silence(gate.fill(to: time, clock: clock), from: &position)
    }

    private mutating func silence(_ frames: Int, from position: inout Int) -> [Buffer] {
        meter.addSilence(frames: frames)
        let end = position + frames
        var buffers: [Buffer] = []
        while position < end {
            let count = min(piece, end - position)
            buffers.append(buffer([Float](repeating: 0, count: count * channels), at: position))
            position += count
        }
        return buffers
    }

    private func buffer(_ samples: [Float], at position: Int) -> Buffer {
        let start = time(position)
        let duration = time(position + samples.count / channels) - start
        return samples.withUnsafeBytes { Buffer(copying: $0, presentationTime: start, duration: duration) }
    }

    private func time(_ position: Int) -> Nanoseconds {
        // Whole seconds apart, so that a long take does not overflow.
        let (seconds, rest) = position.quotientAndRemainder(dividingBy: gate.rate)
        return Nanoseconds(seconds) * .second + Nanoseconds(rest) * .second / Nanoseconds(gate.rate)
    }
}
