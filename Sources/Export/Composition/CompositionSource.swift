import Encoding
import Errors
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import Threads
import Workarounds

/// Several movies that are being read and composed.
struct CompositionSource: FrameSource {
    let composition: MovieComposition
    /// The main one first.
    let sources: [MovieSource]
    /// Of each inset.
    let places: [InsetPlace]
    private let frames = Locked<ComposedFrames?>(nil)
    private let mix = Locked<MixedSamples?>(nil)
    /// The movie that could not be opened.
    private let failing = Locked<MovieSource?>(nil)
    /// Whether the audio is several movies', or one's whose clock is not the main one's.
    let isMixed: Bool

    /// Whether frames of 4:2:2 stay that.
    private let keepsChroma: Bool
    /// Whether audio is wanted at all.
    private let takesAudio: Bool

    init(
        _ composition: MovieComposition, _ sources: [MovieSource], _ places: [InsetPlace], keepsChroma: Bool,
        takesAudio: Bool = true
    ) {
        (self.composition, self.sources, self.places) = (composition, sources, places)
        (self.keepsChroma, self.takesAudio) = (keepsChroma, takesAudio)
        isMixed = Self.isMixed(composition.audio, places)
    }

    /// Whether the audio has to be added up or brought to another pace, as samples of one kind.
    static func isMixed(_ audio: MovieComposition.AudioOrigin, _ places: [InsetPlace]) -> Bool {
        switch audio {
        case .mixed: true
        case .movie(let number): places.indices.contains(number - 1) && places[number - 1].scale != 1
        }
    }

    var main: MovieSource { sources[0] }
    /// Whose audio it is, and where it lies; `nil` where it is mixed.
    private var speaking: (source: MovieSource, place: InsetPlace?)? {
        guard !isMixed, case .movie(let number) = composition.audio else { return nil }
        return (sources[number], number > 0 ? places[number - 1] : nil)
    }
    /// Whose audio is mixed, and where it lies.
    var sounding: [(source: MovieSource, place: InsetPlace)] {
        let all = zip(sources, [InsetPlace()] + places).map { ($0, $1) }
        if case .movie(let number) = composition.audio { return [all[number]] }
        return all
    }
    var composed: ComposedFrames? { frames.withLock { $0 } }

    var tracks: [MediaReader.Track] {
        let video = main.tracks.filter { $0.stream.kind == .video }.map { track in
            var track = track
            if let composed { track.sink = composed }
            return track
        }
        return video + audioTracks
    }

    private var audioTracks: [MediaReader.Track] {
        guard let (source, place) = speaking else {
            let first = sounding.lazy.map(\.source).flatMap(\.tracks).first { $0.stream.kind == .audio }
            guard var track = first, let mix = mix.withLock({ $0 }) else { return [] }
            track.sink = mix
            return [track]
        }
        return source.tracks.filter { $0.stream.kind == .audio }.map { track in
            var track = track
            if let place { track.sink = ShiftedSamples(track.sink, place, until: main.properties.duration) }
            return track
        }
    }

    func open() async throws {
        var ends: [MediaReader.Track] = []
        for source in sources {
            do {
                try await source.open()
            } catch {
                failing.withLock { $0 = source }
                throw InputFailure.explain(error, source.reader, source.file)
            }
            guard let track = source.tracks.first(where: { $0.stream.kind == .video }) else {
                failing.withLock { $0 = source }
                throw RushesError(
                    .badInput, on: source.file.path.string,
                    "\(source.file.path.displayName) has no video that can be decoded here.")
            }
            ends.append(track)
        }
        let insets = zip(zip(ends, sources).dropFirst(), places).map { movie, place in
            let (end, source) = movie
            let rate = source.properties.movie?.video.first.flatMap {
                $0.frameRate.map { Fraction(Int($0 * 1000), 1000) }
            }
            let tick = source.properties.container.tick(rate)
            // What a look-up table has made is as it was wanted.
            let keepsTones = end.graded != nil || ends[0].graded != nil
            let video = source.properties.movie?.video.first
            let light = LightMetadata(display: video?.masteringDisplay, content: video?.contentLight)
            return ComposedFrames.Inset(
                frames: end.sink, place: place, tones: keepsTones ? nil : InsetTones(peak: light.brightest),
                rounding: max(50 * .microsecond, tick / 2 - .microsecond))
        }
        let composed = ComposedFrames(ends[0].sink, insets, steps: composition.steps, keepsChroma: keepsChroma)
        frames.withLock { $0 = composed }
        await skipBeginnings()
        guard isMixed else { return }
        let parts = sounding.compactMap { source, place in
            source.tracks.first { $0.stream.kind == .audio }.map { track in
                MixedSamples.Part(samples: track.sink, place: place, duration: source.properties.duration) {
                    source.delay(of: track)
                }
            }
        }
        mix.withLock { [end = main.properties.duration] in $0 = MixedSamples(parts, until: end) }
    }

    /// Of an inset that began long before the main movie nothing is decoded that is not shown.
    private func skipBeginnings() async {
        for (source, place) in zip(sources.dropFirst(), places) where source.isIndexed {
            let begin = place.insetTime(of: .zero)
            // Below this, reading what comes before takes no longer than a seek.
            guard begin > 5 * .second, await source.hasBegun() else { continue }
            _ = await source.seek(to: begin - .second, .keyFrameBefore)
        }
    }

    func stop() async {
        await withTaskGroup(of: Void.self) { group in
            for source in sources { group.addTask { await source.stop() } }
        }
    }

    func check(_ opened: [OpenedTrack]) throws {
        guard opened.video != nil else {
            if let refusal = composed?.refusal {
                throw RushesError(.badInput, "Frames of this kind cannot be composed: \(refusal)")
            }
            try main.check(opened)
            throw RushesError(.badInput, "No frames come out of the video of \(main.file.path.displayName) here.")
        }
        try composed?.check()
        // The main movie's audio is what nobody has to ask for.
        if takesAudio, case .movie(let number) = composition.audio, number > 0, opened.audio.isEmpty {
            throw missingAudio(of: sources[number])
        }
    }

    private func missingAudio(of source: MovieSource) -> RushesError {
        let name = source.file.path.displayName
        if let stream = source.reader.undecodable.first {
            return RushesError(.badInput, on: source.file.path.string, MissingDecoder.refusal(stream, of: name))
        }
        return RushesError(
            .badInput, on: source.file.path.string,
            "\(name) has no audio that can be decoded here; take the audio of another movie.")
    }

    func checkTracks() throws { for source in sources { try source.checkTracks() } }

    func omissions(in container: Container) -> [String] {
        main.omissions(in: container, deinterlacingIsChosen: false)
            + sources.compactMap { $0.omittedSubtitles(of: fileName(of: $0)) }
            + sounding.dropFirst(composition.audio == .mixed ? 1 : 0).flatMap { source, _ in
                source.file.path == main.file.path
                    ? [] : source.reader.undecodable.map { "\(fileName(of: source)): \(MissingDecoder.note($0))" }
            }
    }

    func fileName(of source: MovieSource) -> String {
        source.file.path.lastComponent.map { String(decoding: $0) } ?? source.file.path.displayName
    }

    // MARK: As it runs

    var failure: GStreamerError? {
        sources.lazy.compactMap(\.failure).first
            ?? composed?.refusal.map {
                GStreamerError(element: "composition", message: "frames cannot be drawn: \($0)")
            }
    }
    var decodedFormat: String { main.decodedFormat }
    var timeOrigin: MediaTime? { main.timeOrigin }
    func delay(of track: MediaReader.Track) -> MediaTime { speaking?.source.delay(of: track) ?? .zero }
    var isIndexed: Bool { sources.allSatisfy(\.isIndexed) }

    func seek(to time: MediaTime, _ place: SeekPlace) async -> Bool {
        for (source, inset) in zip(sources, [InsetPlace()] + places) {
            guard await source.seek(to: max(.zero, inset.insetTime(of: time)), place) else { return false }
        }
        composed?.forget()
        mix.withLock { $0 }?.forget()
        return true
    }

    func explained(_ error: any Error, _ status: ExportStatus) -> any Error {
        let source = sources.first { $0.failure.map { $0 == error as? GStreamerError } ?? false } ?? main
        return source.explained(error, status)
    }

    func lastResort(_ status: ExportStatus) async -> RetryReason? {
        let failed = failing.withLock { $0 } ?? sources.first { $0.failure != nil }
        // Hardware that fails is passed over first.
        guard let failed, failed.reader.hardwareDecoders.isEmpty else { return nil }
        return await failed.lastResort(status)
    }

    func completion(_ opened: [OpenedTrack], _ status: ExportStatus) async -> RetryReason? {
        let withAudio = Set(sounding.map(\.source.file.path))
        for source in sources {
            // Audio that nobody asked for is no reason.
            let isMisread = source.tracks.contains { MisreadStreams.contain($0.stream.caps) }
            guard isMisread || withAudio.contains(source.file.path) else { continue }
            if let reason = await source.completion(opened, status) { return reason }
        }
        return nil
    }

    var printedSource: [PipelineDescription.Node] { main.printedSource }
    func printedNodes(_ kind: SourceStream.Kind) throws -> [PipelineDescription.Node] { try main.printedNodes(kind) }
}
