import Errors
import GStreamer
import MediaTypes

/// Listens to one decoded track, as the export is going to write it: what is missing is silence, what lies outside of the part
/// is not heard.
struct LoudnessPump {
    private let track: OpenedTrack
    private let status: ExportStatus
    private let isLeading: Bool
    private let channels: Int
    private let countsFrames: Bool
    private var sanitizer: TimestampSanitizer
    private let meter: LoudnessMeter
    private var timing: AudioTiming

    /// - Parameters:
    ///   - index: its place among the audio that is taken.
    ///   - late: by how much its decoder stamps it too early.
    ///   - countsFrames: whether its frames are counted, as their times are not to be believed.
    /// - Throws: ``RushesError`` for audio that nothing measures.
    init(
        _ track: OpenedTrack, _ index: Int, _ span: ExportTimeRange, late: MediaTime, countsFrames: Bool,
        _ status: ExportStatus
    ) throws(RushesError) {
        let format = track.caps.first
        let rate = format?["rate"]?.intValue ?? 48000
        (self.track, self.status, isLeading, self.countsFrames) = (track, status, index == 0, countsFrames)
        channels = max(1, format?["channels"]?.intValue ?? 2)
        sanitizer = span.sanitizer
        meter = try LoudnessMeter(channels: channels, rate: rate)
        timing = AudioTiming(rate: rate, origin: span.origin, end: span.end, late: late)
    }

    var result: MeasuredLoudness { meter.result }

    /// Between two looks at whether the export is over.
    private static let interval = Duration.milliseconds(250)

    /// Blocks until the track has ended.
    ///
    /// - Throws: what broke in the source; ``RushesError`` where nothing comes any more; `CancellationError`.
    mutating func run(_ source: any FrameSource) throws {
        var isComplete = try take(track.first, isFirst: true)
        var waited = Duration.zero
        while !isComplete {
            guard status.mayContinue() else { throw CancellationError() }
            if let failure = source.failure { throw failure }
            switch track.track.sink.pull(within: Self.interval) {
            case .sample(let sample):
                waited = .zero
                isComplete = try take(sample)
            case .end: return
            case .nothing: waited += Self.interval
            }
            guard waited < StallMonitor.timeout else {
                throw RushesError(.stalled, "No audio came out of the decoder in time.")
            }
        }
        // Others of the file may still be read.
        try track.track.sink.discardSamples()
    }

    /// - Returns: whether no more is wanted.
    private mutating func take(_ sample: Sample, isFirst: Bool = false) throws -> Bool {
        guard let buffer = sample.buffer else { return false }
        let bytesPerFrame = channels * MemoryLayout<Float>.size
        let time = countsFrames && !isFirst ? nil : sanitizer.validated(sample.movieTime)
        let answer = timing.take(time: time, frames: buffer.byteCount / bytesPerFrame)
        try addSilence(answer)
        try buffer.withBytes { bytes in
            let samples = bytes.bindMemory(to: Float.self)
            let taken = answer.taken.lowerBound * channels..<answer.taken.upperBound * channels
            meter.add(UnsafeBufferPointer(rebasing: samples[taken]))
        }
        status.report(.audioSubmitted(until: timing.time(of: timing.position), isLeading: isLeading))
        return answer.isComplete
    }

    /// Of silence, in frames at most.
    private static let piece = 1 << 16

    /// A damaged file may have a gap of days.
    private func addSilence(_ answer: AudioTiming.Answer) throws {
        var (position, left) = (answer.position, answer.silence)
        while left > 0 {
            guard status.mayContinue() else { throw CancellationError() }
            let count = min(left, Self.piece)
            meter.addSilence(frames: count)
            (position, left) = (position + count, left - count)
            status.report(.audioSubmitted(until: timing.time(of: position), isLeading: isLeading))
        }
    }
}
