import Encoding
import Errors
import GStreamer
import Imaging
import MediaTypes
import MovieFiles
import Threads

/// Looks for black bars in the frames that an export is going to take, before any of them is encoded.
struct LetterboxSearch: Sendable {
    let context: ExportContext
    let target: ExportTarget

    private var status: ExportStatus { context.status }
    private var properties: InputProperties { context.properties }

    /// What was found, and what is said of it.
    struct Found: Sendable {
        /// What is left without the bars; nil: all.
        var crop: CropArea?
        var note: String
    }

    /// Which part of the whole work it is.
    static let share = 0.03
    /// Longer parts are looked at in single frames, one for so much of them.
    private static let distance = 10 * MediaTime.second
    private static let samples = 12...48

    /// - Throws: ``RushesError`` for a file that cannot be decoded; `CancellationError`.
    func run() async throws -> Found {
        guard let file = context.input.original else {
            throw RushesError(
                .invalidSettings, "Black bars are found in movie files only; name the area with \(Term.crop).")
        }
        let found = try await context.retrying { reasons in
            var filters = MediaReader.Filters()
            filters.format = try Caps("video/x-raw,format=(string){ I420, NV12, Y42B, Y444, GRAY8 }")
            let source = try MovieSource(video: file, properties, filters, without: reasons)
            return try await source.reading(status) { _ in
                try await look(at: source, seeks: source.isIndexed && !reasons.contains(.seeking))
            }
        }
        status.report(.reserved(Self.share))
        return found
    }

    private func look(at source: MovieSource, seeks: Bool) async throws -> Found {
        try await source.open()
        let opened = try await EncodingRun.openTracks(source)
        if let reason = await source.completion(opened, status) { throw reason }
        guard let track = opened.video?.track, let first = opened.video?.first else {
            throw RushesError(.invalidSettings, "There is no video that could have black bars; leave \(Term.crop) out.")
        }
        var frames = try LetterboxFrames(first)
        let begin = max(.zero, first.movieTime ?? .zero)
        let parts = parts
        let length = parts.reduce(Optional(MediaTime.zero)) { sum, part in
            sum.flatMap { sum in part.end.map { sum + max(.zero, $0 - part.start) } }
        }
        status.report(.began(.init(step: "Looking for black bars", share: 0..<Self.share, duration: length)))
        if seeks, let length, length > Self.distance {
            let count = min(max(Int(length / Self.distance), Self.samples.lowerBound), Self.samples.upperBound)
            for index in 0..<count where !frames.detector.isWhole {
                let place = length * (2 * index + 1) / (2 * count)
                try await sample(track, at: begin + Self.time(of: place, in: parts), of: source, &frames)
                status.report(.examined(until: place))
            }
        } else {
            frames = try await all(track, of: source, first: first, from: begin, parts, frames)
        }
        return frames.found
    }

    private var parts: [TimeRange] {
        let settings = target.settings
        // What others say of their length is a guess.
        let isTold = properties.isIndexed || properties.movie != nil
        let end = isTold ? (context.input as? PartsInput)?.inputDuration ?? properties.duration : nil
        return (settings.parts ?? [settings.range ?? TimeRange()]).map { part in
            TimeRange(start: part.start, end: [part.end, end].compactMap(\.self).min())
        }
    }

    /// Of the input, of a time of what is made of it.
    private static func time(of place: MediaTime, in parts: [TimeRange]) -> MediaTime {
        var rest = place
        for part in parts {
            let length = max(.zero, (part.end ?? part.start) - part.start)
            if rest < length { return part.start + rest }
            rest -= length
        }
        return parts.last?.start ?? .zero
    }

    /// The key frame before a time stands for what is around it.
    private func sample(
        _ track: MediaReader.Track, at time: MediaTime, of source: MovieSource, _ frames: inout LetterboxFrames
    ) async throws {
        guard !status.isStopped else { throw CancellationError() }
        try Task.checkCancellation()
        guard await source.seek(to: time, .keyFrameBefore) else { throw RetryReason(part: .seeking) }
        if let sample = try await source.firstSample(of: track) { try frames.look(at: sample) }
    }

    /// Reads all parts: they are short, or nothing tells where a frame lies.
    private func all(
        _ track: MediaReader.Track, of source: MovieSource, first: Sample, from begin: MediaTime, _ parts: [TimeRange],
        _ frames: LetterboxFrames
    ) async throws -> LetterboxFrames {
        let end = parts.contains { $0.end == nil } ? nil : parts.compactMap(\.end).max()
        return try await onOwnThread("rushes-bars") {
            var (frames, sample, waited) = (frames, Optional(first), Duration.zero)
            while !frames.detector.isWhole {
                guard status.mayContinue() else { throw CancellationError() }
                if let sample {
                    let time = (sample.movieTime ?? .zero) - begin
                    if let end, time >= end { break }
                    let isTaken = parts.contains { $0.start <= time && time < $0.end ?? .max }
                    if isTaken { try frames.look(at: sample) }
                    status.report(.examined(until: time))
                }
                sample = nil
                if let failure = source.failure { throw failure }
                switch track.sink.pull(within: Self.interval) {
                case .sample(let next): (sample, waited) = (next, .zero)
                case .end: return frames
                case .nothing: waited += Self.interval
                }
                guard waited < StallMonitor.timeout else {
                    throw RushesError(.stalled, "No frame came out of the decoder in time.")
                }
            }
            return frames
        }
    }

    /// Between two looks at whether the export is over.
    private static let interval = Duration.milliseconds(250)
}
