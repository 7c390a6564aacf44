import CaptureAudio
import GStreamer
import MediaTypes

/// One microphone's audio in a recording: chunks on the session's clock in, buffers with the movie's times out.
struct AudioTrack: Sendable {
    private var trimmer: AudioTrimmer
    private var meter: LevelMeter
    private let channels: Int
    /// Audio from before a segment's first frame came, or whose time in the movie has not come.
    private var held: [AudioChunk] = []
    private var heldFrames = 0
    /// Samples that wait for the next ones, as before a pause may come a few; and the place of the next buffer in the movie.
    private var (short, position): ([Float], Int) = ([], 0)
    /// Samples of each channel in a buffer: Matroska counts in milliseconds, and two of PCM in one are told as a fault.
    static let fewest = 96

    /// A camera that takes longer for its first frame than these seconds loses audio, not memory.
    private static let longestHeld = 10
    /// A second of silence: all that is longer is made of it, so that hours in which this process stood still need no memory.
    private let silentSecond: Buffer

    init(rate: Int, channels: Int, delay: MediaTime) {
        trimmer = AudioTrimmer(rate: rate, delay: delay)
        meter = LevelMeter(channels: channels)
        self.channels = channels
        silentSecond = [Float](repeating: 0, count: rate * channels).withUnsafeBytes {
            Buffer(copying: $0, presentationTime: nil, duration: nil)
        }
    }

    /// How much of the movie has audio so far.
    var duration: MediaTime { MediaTime(samples: trimmer.written, rate: trimmer.rate) }
    /// By how much the audio is moved later in the movie; negative is earlier.
    var delay: MediaTime { trimmer.delay }
    /// Whether the track has reached the take's end.
    var isComplete: Bool { trimmer.isComplete }

    /// The loudness of what went into the movie since the last call.
    mutating func readLevel() -> AudioLevel? { meter.read() }

    /// Takes a chunk; returns what goes into the movie now.
    ///
    /// - Parameter now: what belongs into the movie after this running time waits for it, as the recording may end or pause
    ///   before: audio that is to come later than it was captured, or a tone that is made ahead of its time.
    mutating func take(_ chunk: AudioChunk, _ timeline: RecordingTimeline, now: MediaTime = .max) -> [Buffer] {
        held.append(chunk)
        heldFrames += chunk.frames
        return takeHeld(until: now, timeline) + append([])
    }

    /// Goes on in silence up to a running time, or the recording's end.
    mutating func fill(to time: MediaTime, _ timeline: RecordingTimeline) -> [Buffer] {
        guard !timeline.isAboutToPause, !isBehindEnd(time, timeline) else { return [] }
        return takeHeld(until: time, timeline) + silence(trimmer.fill(to: time, timeline)) + append([])
    }

    private mutating func takeHeld(until time: MediaTime, _ timeline: RecordingTimeline) -> [Buffer] {
        var buffers: [Buffer] = []
        // Where a pause is about to begin, it is not known yet how far the segment goes.
        while !timeline.isAboutToPause, let next = held.first,
            !isBehindEnd(next.endTime + trimmer.delay, timeline),
            timeline.isEnding || next.endTime + trimmer.delay <= time
        {
            let (pieces, isConsumed) = trimmer.take(next, timeline)
            for piece in pieces {
                buffers += silence(piece.silence)
                guard let part = piece.part else { continue }
                meter.add(part.samples)
                buffers += append(part.samples)
            }
            guard isConsumed else { break }
            heldFrames -= held.removeFirst().frames
        }
        let longest = Self.longestHeld * trimmer.rate + max(0, Int(trimmer.delay.seconds * Double(trimmer.rate)))
        while heldFrames > longest { heldFrames -= held.removeFirst().frames }
        return buffers
    }

    /// Whether it is not known yet if a running time is recorded, as frames may move the end behind it.
    private func isBehindEnd(_ time: MediaTime, _ timeline: RecordingTimeline) -> Bool {
        timeline.isAboutToEnd && timeline.end.map { time >= $0 } ?? false
    }

    private mutating func silence(_ frames: Int) -> [Buffer] {
        meter.addSilence(frames: frames)
        var (left, buffers): (Int, [Buffer]) = (frames, [])
        while left > 0 {
            let count = min(trimmer.rate, left)
            if count == trimmer.rate, short.isEmpty {
                let (start, duration) = advance(count)
                buffers.append(silentSecond.retimed(presentationTime: start, duration: duration))
            } else {
                buffers += append([Float](repeating: 0, count: count * channels))
            }
            left -= count
        }
        return buffers
    }

    /// Adds samples to the movie; returns a buffer of them and of those that were kept back, or none while they are too few.
    private mutating func append(_ new: [Float]) -> [Buffer] {
        let samples = short.isEmpty ? new : short + new
        let isEnough = samples.count >= Self.fewest * channels || (trimmer.isComplete && !samples.isEmpty)
        short = isEnough ? [] : samples
        guard isEnough else { return [] }
        let (start, duration) = advance(samples.count / channels)
        return [samples.withUnsafeBytes { Buffer(copying: $0, presentationTime: start, duration: duration) }]
    }

    /// Where a buffer of so many samples lies in the movie, which goes on behind it.
    private mutating func advance(_ frames: Int) -> (start: MediaTime, duration: MediaTime) {
        let start = RecordingTimeline.time(position)
        position += frames
        return (start, RecordingTimeline.time(position) - start)
    }
}
