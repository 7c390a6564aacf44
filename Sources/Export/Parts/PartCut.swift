import GStreamer
import MediaTypes

/// What of a track is in one part, at the movie's times: frames as those of an export of that part alone, audio to the sample.
struct PartCut: Sendable {
    private enum Timing: Sendable {
        case frames(FrameTiming<Buffer>)
        case audio(AudioTiming)
    }

    private let part: PartPlan.Part
    private var timing: Timing
    private var sanitizer: TimestampSanitizer
    private var caps: Caps
    /// By how much its decoder stamps audio too early.
    var late = MediaTime.zero
    private let bytesPerFrame: Int
    private let rate: Int
    /// Whether the times of audio are not to be believed, and its frames are counted.
    private let countsFrames: Bool
    private var counted = 0
    private var first: MediaTime?

    /// Silence that comes next: where it begins in the part, and how long it is, in frames of audio.
    private var silence = (position: 0, count: 0)
    private var waiting: [Sample] = []
    /// Whether all of the part has been taken.
    private var isOver = false

    /// - Parameters:
    ///   - sample: the first one, which says what the track is.
    ///   - begin: the file's own time of what counts as its beginning.
    ///   - duration: of the whole file.
    ///   - countsFrames: whether the times of audio are not to be believed.
    init(
        _ part: PartPlan.Part, _ kind: SourceStream.Kind, _ sample: Sample, begin: MediaTime,
        _ container: InputContainer, _ duration: MediaTime?, countsFrames: Bool
    ) {
        let format = sample.caps?.first
        (self.part, caps) = (part, sample.caps ?? Caps("none", [:]))
        (first, self.countsFrames) = (sample.movieTime, countsFrames)
        sanitizer = TimestampSanitizer(begin: begin, duration: duration)
        rate = max(1, format?["rate"]?.intValue ?? 48000)
        let bits = RawAudio.bits(format?["format"]?.stringValue ?? "")
        bytesPerFrame = max(1, (format?["channels"]?.intValue ?? 2) * bits / 8)
        let (origin, end) = (begin + part.start, part.end.map { begin + $0 })
        if kind == .video {
            let usual = format?["framerate"]?.fractionValue
            timing = .frames(
                FrameTiming(
                    origin: origin, end: end, isTrimmed: true, tick: container.tick(usual), rate: nil,
                    usualRate: usual))
        } else {
            timing = .audio(AudioTiming(rate: rate, origin: origin, end: end))
        }
    }

    /// How far into the part the track has come.
    private(set) var reached = MediaTime.zero

    /// Whether the next sample is there.
    var isReady: Bool { !waiting.isEmpty || silence.count > 0 }
    /// Whether nothing more comes.
    var isComplete: Bool { isOver && !isReady }

    /// Of silence, in bytes at most.
    private static let piece = 1 << 16

    /// The next sample, at the movie's times.
    mutating func next() -> Sample? {
        if silence.count > 0 {
            let count = min(silence.count, max(1, Self.piece / bytesPerFrame))
            defer { silence = (silence.position + count, silence.count - count) }
            let begin = time(of: silence.position)
            // All formats that the reader lets pass are silent at zero.
            let buffer = [UInt8](repeating: 0, count: count * bytesPerFrame).withUnsafeBytes {
                Buffer(copying: $0, presentationTime: begin, duration: time(of: silence.position + count) - begin)
            }
            return Sample(buffer, caps)
        }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    private func time(of position: Int) -> MediaTime { part.offset + MediaTime(samples: position, rate: rate) }

    mutating func take(_ sample: Sample) {
        guard !isOver, let buffer = sample.buffer else { return }
        caps = sample.caps ?? caps
        switch timing {
        case .frames(var frames):
            let answer = frames.take(buffer, time: sanitizer.validated(sample.movieTime), duration: buffer.duration)
            timing = .frames(frames)
            isOver = answer.isComplete
            for frame in answer.written { show(frame) }
        case .audio(var audio):
            let count = buffer.byteCount / bytesPerFrame
            // What cutting at nanoseconds leaves of a packet is not even one frame long.
            if let duration = buffer.duration, duration < MediaTime.second / (2 * rate), count <= 1 { return }
            let answer = audio.take(time: sanitizer.validated(audioTime(of: sample, count)), frames: count)
            timing = .audio(audio)
            hear(answer, buffer)
        }
    }

    /// Nothing more comes of the part's reader; what the next part would otherwise begin too early for is silence.
    mutating func end(isLast: Bool) {
        isOver = true
        switch timing {
        case .frames(var frames):
            for frame in frames.flush() { show(frame) }
            timing = .frames(frames)
        case .audio(let audio) where !isLast: silence = (audio.position, max(0, length - audio.position))
        case .audio: break
        }
    }

    /// Of the part, in frames of audio.
    private var length: Int { part.end.map { Int((($0 - part.start).seconds * Double(rate)).rounded()) } ?? 0 }

    private mutating func show(_ frame: FrameTiming<Buffer>.Timed) {
        let left = part.end.map { $0 - part.start - frame.time }
        guard left.map({ $0 > .zero }) ?? true else {
            isOver = true
            return
        }
        let duration = min(frame.duration, left ?? frame.duration)
        reached = frame.time + duration
        waiting.append(
            Sample(frame.frame.retimed(presentationTime: part.offset + frame.time, duration: duration), caps))
    }

    private func audioTime(of sample: Sample, _ count: Int) -> MediaTime? {
        (countsFrames ? first.map { $0 + MediaTime(samples: counted, rate: rate) } : sample.movieTime).map { $0 + late }
    }

    private mutating func hear(_ answer: AudioTiming.Answer, _ buffer: Buffer) {
        counted += buffer.byteCount / bytesPerFrame
        silence = (answer.position, answer.silence)
        isOver = answer.isComplete
        guard !answer.taken.isEmpty else { return }
        let position = answer.position + answer.silence
        let (begin, end) = (time(of: position), time(of: position + answer.taken.count))
        reached = end - part.offset
        let bytes = answer.taken.lowerBound * bytesPerFrame..<answer.taken.upperBound * bytesPerFrame
        if let part = buffer.part(bytes, presentationTime: begin, duration: end - begin) {
            waiting.append(Sample(part, caps))
        }
    }
}
