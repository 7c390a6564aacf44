import Encoding
import Errors
import GStreamer
import MediaTypes
import MovieFiles
import Threads

/// Movies that are being read, one behind the other.
struct JoinSource: FrameSource {
    private struct Opened: Sendable {
        var tracks: [MediaReader.Track]
        var samples: [JoinedSamples]
        var omissions: [String]
    }

    /// What a movie gives by itself.
    private struct Found: Sendable {
        var video: OpenedTrack?
        var audio: OpenedTrack?
    }

    /// For people.
    private let names: [String]
    private let lengths: [MediaTime]
    private let size: VideoSize?
    /// Whether frames are joined; else audio alone.
    private let hasVideo: Bool
    private let make: @Sendable (Int, JoinedFormat) throws -> PartsSource
    private let readers = Locked<JoinReaders?>(nil)
    private let opened = Locked<Opened?>(nil)
    /// The movie that could not be looked at.
    private let failing = Locked<PartsSource?>(nil)

    /// - Parameters:
    ///   - names: the movies', for people.
    ///   - size: what frames are scaled into; nil: the first movie's.
    ///   - hasVideo: whether each has to have frames; else each has to have audio, and nothing else of it is read.
    ///   - make: makes a reader of a movie, whose frames and audio become what is said.
    init(
        _ names: [String], _ lengths: [MediaTime], size: VideoSize?, hasVideo: Bool,
        _ make: @escaping @Sendable (Int, JoinedFormat) throws -> PartsSource
    ) {
        (self.names, self.lengths, self.size, self.hasVideo, self.make) = (names, lengths, size, hasVideo, make)
    }

    var tracks: [MediaReader.Track] { opened.withLock { $0?.tracks } ?? [] }

    /// Looks at all movies first: what does not fit is told before the first one is encoded.
    func open() async throws {
        var (found, omissions) = ([Found](), [String]())
        for index in names.indices {
            try Task.checkCancellation()
            let source = try make(index, JoinedFormat())
            do {
                try await source.open()
                found.append(try await look(source, names[index]))
                omissions += source.omissions(in: .mp4)
                await source.stop()
            } catch {
                await source.stop()
                failing.withLock { $0 = source }
                throw error
            }
        }
        try checkLight(found)
        let format = JoinedFormat(
            video: found.first?.video?.caps, audio: found.lazy.compactMap(\.audio).first?.caps, size: size)
        let readers = JoinReaders { [make] in try make($0, format) }
        self.readers.withLock { $0 = readers }
        _ = try await onOwnThread("rushes-join") { try readers.source(0) }
        var (tracks, joined) = ([MediaReader.Track](), [JoinedSamples]())
        let leaders = [found.first?.video, found.lazy.compactMap(\.audio).first].compactMap(\.self)
        for leader in leaders {
            let kind = leader.track.stream.kind
            let caps = kind == .video ? format.video : format.audio
            var fields = leader.caps.first?.fields ?? [:]
            for (name, value) in caps?.first?.fields ?? [:] { fields[name] = value }
            let samples = JoinedSamples(
                readers, kind, Caps(leader.caps.first?.name ?? "", fields), lengths: lengths)
            var track = leader.track
            track.sink = samples
            tracks.append(track)
            joined.append(samples)
        }
        opened.withLock { [tracks, joined, omissions] in
            $0 = Opened(tracks: tracks, samples: joined, omissions: omissions.uniqued)
        }
    }

    private func look(_ source: PartsSource, _ name: String) async throws -> Found {
        let tracks = try await EncodingRun.openTracks(source)
        try source.check(tracks)
        guard hasVideo ? tracks.video != nil : !tracks.audio.isEmpty else {
            let reason = hasVideo ? "no video, so it cannot be joined to movies" : "no audio that could be joined"
            throw RushesError(.badInput, "\(name) has \(reason); leave it out.")
        }
        return Found(video: tracks.video, audio: tracks.audio.first)
    }

    /// - Throws: ``RushesError`` where a movie is HDR and the first one is not, or of another kind.
    private func checkLight(_ found: [Found]) throws(RushesError) {
        func light(_ found: Found) -> String {
            found.video.flatMap { Colorimetry($0.caps)?.hdrName }.map { "HDR (\($0))" } ?? "SDR"
        }
        guard let first = found.first.map(light) else { return }
        for (name, other) in zip(names, found) where light(other) != first {
            throw RushesError(
                .badInput,
                "\(name) is \(light(other)) and \(names[0]) \(first), which cannot be joined; make SDR of the HDR movie first, with "
                    + "\(Term.toneMapping).")
        }
    }

    func stop() async { await readers.withLock { $0 }?.stop() }

    private var sources: [PartsSource] { readers.withLock { $0 }?.sources ?? [] }
    private var openingFailure: (any Error)? {
        opened.withLock { $0?.samples.lazy.compactMap(\.failure).first }
    }
    var failure: GStreamerError? {
        sources.lazy.compactMap(\.failure).first
            ?? openingFailure.map { $0 as? GStreamerError ?? GStreamerError(element: "join", message: "\($0)") }
    }
    var decodedFormat: String { sources.last?.decodedFormat ?? "none" }

    func check(_: [OpenedTrack]) throws {}
    func checkTracks() throws { for source in sources { try source.checkTracks() } }
    func omissions(in _: Container) -> [String] { opened.withLock { $0?.omissions } ?? [] }

    // All of it lies at the movie's own times already.
    var timeOrigin: MediaTime? { nil }
    func delay(of _: MediaReader.Track) -> MediaTime { .zero }
    var isIndexed: Bool { false }
    func seek(to _: MediaTime, _: SeekPlace) async -> Bool { false }

    func losses(_ delivered: Delivered) -> [String] {
        sources.flatMap { $0.losses(delivered) }.uniqued
    }

    func explained(_ error: any Error, _ status: ExportStatus) -> any Error {
        if let failure = openingFailure as? RushesError { return failure }
        let failing = sources.first { source in source.failure.map { $0 == error as? GStreamerError } ?? false }
        return (failing ?? sources.first)?.explained(error, status) ?? error
    }

    func lastResort(_ status: ExportStatus) async -> RetryReason? {
        await failing.withLock { $0 }?.lastResort(status)
    }

    // Movies that are joined are not printed.
    var printedSource: [PipelineDescription.Node] { [] }
    func printedNodes(_: SourceStream.Kind) throws -> [PipelineDescription.Node] { [] }
}
