import Encoding
import Errors
import Foundation
import GStreamer
import MediaTypes
import MovieFiles
import Threads

/// Parts of a movie that are being read, one behind the other.
struct PartsSource: FrameSource {
    private struct Opened: Sendable {
        var first: MovieSource
        var tracks: [MediaReader.Track]
        var samples: [PartSamples]
        /// The file's own time of what counts as its beginning.
        var begin: MediaTime
    }

    private let plan: PartPlan
    /// Of the movie, for people.
    private let name: String
    private let seeks: Bool
    private let make: @Sendable () throws -> MovieSource
    private let readers = Locked<PartReaders?>(nil)
    private let opened = Locked<Opened?>(nil)

    /// - Parameters:
    ///   - name: the movie's, for people.
    ///   - seeks: whether reading can begin near a part.
    ///   - make: makes a reader of the whole movie.
    init(_ plan: PartPlan, of name: String, seeks: Bool, _ make: @escaping @Sendable () throws -> MovieSource) {
        (self.plan, self.name, self.seeks, self.make) = (plan, name, seeks, make)
    }

    /// Before a part, as decoders of audio need some packets, and deinterlacing some frames, before they give what they would have.
    static let leadIn = MediaTime.second
    /// Below this, reading what comes before takes no longer than a seek.
    private static let worthSeeking = 5 * MediaTime.second

    var tracks: [MediaReader.Track] { opened.withLock { $0?.tracks } ?? [] }

    /// Reads the first sample of each track, which tells where the file's times begin, and goes to the first part.
    func open() async throws {
        let first = try make()
        let readers = PartReaders(first, make)
        self.readers.withLock { $0 = readers }
        try await first.open()
        var samples: [(track: MediaReader.Track, sample: Sample)] = []
        for track in first.tracks where track.stream.kind != .text {
            let sample = try await first.firstSample(of: track)
            if let sample { samples.append((track, sample)) }
        }
        // Only when all tracks have begun it is known when the file does.
        for index in samples.indices { samples[index].sample = samples[index].track.sink.placed(samples[index].sample) }
        let begin = max(.zero, first.timeOrigin ?? samples.compactMap(\.sample.movieTime).min() ?? .zero)
        let places = plan.parts.map { part in
            seeks && part.start >= Self.worthSeeking ? begin + part.start - Self.leadIn : nil
        }
        readers.setPlaces(places)
        if let place = places[0], await !first.seek(to: place, .keyFrameBefore) { throw PartReaders.isLost }
        let joined = samples.map { track, sample in
            PartSamples(
                plan, readers, track, first: sample, begin: begin, first.properties, holdsFirst: places[0] == nil)
        }
        var tracks: [MediaReader.Track] = []
        for track in first.tracks {
            guard let index = samples.firstIndex(where: { PartReaders.Key($0.track) == PartReaders.Key(track) }) else {
                try readers.discardSamples(PartReaders.Key(track))
                continue
            }
            var track = track
            track.sink = joined[index]
            tracks.append(track)
        }
        opened.withLock { [tracks] in $0 = Opened(first: first, tracks: tracks, samples: joined, begin: begin) }
    }

    func stop() async { await readers.withLock { $0 }?.stop() }

    var failure: GStreamerError? {
        readers.withLock { $0 }?.failure ?? opened.withLock { $0 }?.samples.lazy.compactMap(\.failure).first
    }
    var decodedFormat: String { first?.decodedFormat ?? "none" }
    private var first: MovieSource? { opened.withLock { $0?.first } }

    func check(_ opened: [OpenedTrack]) throws { try first?.check(opened) }
    func checkTracks() throws { try first?.checkTracks() }
    func omissions(in container: Container) -> [String] { first?.omissions(in: container) ?? [] }

    // All of it lies at the movie's own times already.
    var timeOrigin: MediaTime? { nil }
    func delay(of track: MediaReader.Track) -> MediaTime { .zero }
    var isIndexed: Bool { false }
    func seek(to time: MediaTime, _ place: SeekPlace) async -> Bool { false }

    var partsBegin: MediaTime? { opened.withLock { $0?.begin } }
    var spans: [MovieSubtitles.Span]? {
        guard let begin = opened.withLock({ $0?.begin }) else { return nil }
        return plan.parts.map { part in
            .init(
                origin: (begin + part.start).nanoseconds, end: part.end.map { (begin + $0).nanoseconds },
                begin: part.offset.nanoseconds)
        }
    }

    func losses(_ delivered: Delivered) -> [String] {
        var delivered = delivered
        delivered.range.isTrimmed = true
        return first?.losses(delivered) ?? []
    }

    func explained(_ error: any Error, _ status: ExportStatus) -> any Error {
        if let early = opened.withLock({ $0?.samples.lazy.compactMap(\.earlyEnd).first }) {
            let seconds = String(format: "%.1f", early.time.seconds)
            return RushesError(
                .invalidSettings,
                "\(name) ends at \(seconds) s, before part \(early.part + 1) does; give that an earlier end.")
        }
        if error as? GStreamerError == PartReaders.isLost { return RetryReason(part: .seeking) }
        let source = readers.withLock { $0 }?.source(of: error) ?? first
        return source?.explained(error, status) ?? error
    }

    func lastResort(_ status: ExportStatus) async -> RetryReason? {
        // Hardware that fails is passed over first.
        guard let first = readers.withLock({ $0 })?.first, first.reader.hardwareDecoders.isEmpty else { return nil }
        return await first.lastResort(status)
    }
    func completion(_ opened: [OpenedTrack], _ status: ExportStatus) async -> RetryReason? {
        await first?.completion(opened, status)
    }

    var printedSource: [PipelineDescription.Node] { first?.printedSource ?? [] }
    func printedNodes(_ kind: SourceStream.Kind) throws -> [PipelineDescription.Node] {
        try first?.printedNodes(kind) ?? []
    }
}
