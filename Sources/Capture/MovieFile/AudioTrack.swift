import GStreamer

/// The audio of one take: from the microphone's row of samples to buffers timed in the movie.
struct AudioTrack: Sendable {
    private var trimmer: AudioTrimmer
    private var meter: LevelMeter
    private let channels: Int
    /// Audio from before a segment's first frame came.
    private var held: [AudioChunk] = []
    private var heldFrames = 0

    /// A camera that takes longer for its first frame than these seconds loses audio, not memory.
    private static let longestHeld = 10
    /// Silence is handed on in pieces of a second, so that a long one does not need much memory at once.
    private var piece: Int { trimmer.rate }

    init(rate: Int, channels: Int, delay: Nanoseconds) {
        trimmer = AudioTrimmer(rate: rate, delay: delay)
        meter = LevelMeter(channels: channels)
        self.channels = channels
    }

    /// Seconds in the movie so far.
    var duration: Double { Double(trimmer.written) / Double(trimmer.rate) }
    /// Whether the track has reached the take's end.
    var isComplete: Bool { trimmer.isComplete }

    /// The loudness of what went into the movie since the last call.
    mutating func readLevel() -> AudioLevel? { meter.read() }

    /// Takes a chunk; returns what goes into the movie now.
    mutating func take(_ chunk: AudioChunk, _ timeline: RecordingTimeline) -> [Buffer] {
        held.append(chunk)
        heldFrames += chunk.frames
        var buffers: [Buffer] = []
        // Where a pause is about to begin, it is not known yet how far the segment goes.
        while !timeline.isAboutToPause, let next = held.first {
            var position = trimmer.written
            let (pieces, isConsumed) = trimmer.take(next, timeline)
            for piece in pieces {
                buffers += silence(piece.silence, from: &position)
                guard let part = piece.part else { continue }
                meter.add(part.samples)
                buffers.append(buffer(part.samples, at: position))
                position += part.frames
            }
            guard isConsumed else { break }
            heldFrames -= held.removeFirst().frames
        }
        while heldFrames > Self.longestHeld * trimmer.rate { heldFrames -= held.removeFirst().frames }
        return buffers
    }

    /// Goes on in silence up to a running time, or the take's end.
    mutating func fill(to time: Nanoseconds, _ timeline: RecordingTimeline) -> [Buffer] {
        guard !timeline.isAboutToPause else { return [] }
        var position = trimmer.written
        return silence(trimmer.fill(to: time, timeline), from: &position)
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
        let start = RecordingTimeline.time(position)
        let duration = RecordingTimeline.time(position + samples.count / channels) - start
        return samples.withUnsafeBytes { Buffer(copying: $0, presentationTime: start, duration: duration) }
    }

}
