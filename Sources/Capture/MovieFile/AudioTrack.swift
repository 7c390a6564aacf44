import GStreamer

/// The audio of one take: from the microphone's row of samples to buffers timed in the movie.
struct AudioTrack: Sendable {
    private var trimmer: AudioTrimmer
    private var meter: LevelMeter
    private let channels: Int
    /// Audio from before a segment's first frame came.
    private var held: [AudioChunk] = []
    private var heldFrames = 0
    /// Samples that wait for the next ones, as before a pause may come a few; and the place of the next buffer in the movie.
    private var (short, position): ([Float], Int) = ([], 0)
    /// Samples of each channel in a buffer: Matroska counts in milliseconds, and two of PCM in one are told as a fault.
    private static let fewest = 96

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
            let (pieces, isConsumed) = trimmer.take(next, timeline)
            for piece in pieces {
                buffers += silence(piece.silence)
                guard let part = piece.part else { continue }
                meter.add(part.samples)
                buffers += [buffer(part.samples)].compactMap(\.self)
            }
            guard isConsumed else { break }
            heldFrames -= held.removeFirst().frames
        }
        while heldFrames > Self.longestHeld * trimmer.rate { heldFrames -= held.removeFirst().frames }
        return buffers
    }

    /// Goes on in silence up to a running time, or the recording's end.
    mutating func fill(to time: Nanoseconds, _ timeline: RecordingTimeline) -> [Buffer] {
        guard !timeline.isAboutToPause else { return [] }
        return silence(trimmer.fill(to: time, timeline))
    }

    private mutating func silence(_ frames: Int) -> [Buffer] {
        meter.addSilence(frames: frames)
        var (left, buffers): (Int, [Buffer]) = (frames, [])
        while left > 0 {
            let count = min(piece, left)
            buffers += [buffer([Float](repeating: 0, count: count * channels))].compactMap(\.self)
            left -= count
        }
        return buffers
    }

    /// The next samples of the movie as a buffer, with those that were kept back; none where they are still too few.
    private mutating func buffer(_ samples: [Float]) -> Buffer? {
        let samples = short + samples
        short = samples.count < Self.fewest * channels && !trimmer.isComplete ? samples : []
        guard short.isEmpty else { return nil }
        let start = RecordingTimeline.time(position)
        position += samples.count / channels
        let duration = RecordingTimeline.time(position) - start
        return samples.withUnsafeBytes { Buffer(copying: $0, presentationTime: start, duration: duration) }
    }
}
