import Encoding
import Errors
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// Several movies that are being read and composed.
struct CompositionSource: FrameSource {
    private let composition: MovieComposition
    /// The main one first.
    private let sources: [MovieSource]
    /// Of each inset.
    private let places: [InsetPlace]
    private let frames = Locked<ComposedFrames?>(nil)
    private let mix = Locked<MixedSamples?>(nil)
    /// Whether the audio is several movies', or one's whose clock is not the main one's.
    private let isMixed: Bool

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

    private var main: MovieSource { sources[0] }
    /// Whose audio it is, and where it lies; `nil` where it is mixed.
    private var speaking: (source: MovieSource, place: InsetPlace?)? {
        guard !isMixed, case .movie(let number) = composition.audio else { return nil }
        return (sources[number], number > 0 ? places[number - 1] : nil)
    }
    /// Whose audio is mixed, and where it lies.
    private var sounding: [(source: MovieSource, place: InsetPlace)] {
        let all = zip(sources, [InsetPlace()] + places).map { ($0, $1) }
        if case .movie(let number) = composition.audio { return [all[number]] }
        return all
    }
    private var composed: ComposedFrames? { frames.withLock { $0 } }

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
        var ends: [any SampleSource] = []
        for source in sources {
            do {
                try await source.open()
            } catch {
                throw InputFailure.explain(error, source.reader, source.file)
            }
            guard let track = source.tracks.first(where: { $0.stream.kind == .video }) else {
                throw RushesError(
                    .badInput, on: source.file.path.string,
                    "\(source.file.path.displayName) has no video that can be decoded here.")
            }
            ends.append(track.sink)
        }
        let insets = zip(zip(ends, sources).dropFirst(), places).map { movie, place in
            let (end, source) = movie
            let rate = source.properties.movie?.video.first.flatMap {
                $0.frameRate.map { Fraction(Int($0 * 1000), 1000) }
            }
            let tick = source.properties.container.tick(rate)
            return ComposedFrames.Inset(
                frames: end, place: place, rounding: max(50 * .microsecond, tick / 2 - .microsecond))
        }
        let composed = ComposedFrames(ends[0], insets, steps: composition.steps, keepsChroma: keepsChroma)
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

    func checkTracks() throws(RetryReason) { for source in sources { try source.checkTracks() } }

    func omissions(in container: Container) -> [String] {
        main.omissions(in: container)
            + sources.compactMap { $0.omittedSubtitles(of: fileName(of: $0)) }
            + sounding.dropFirst(composition.audio == .mixed ? 1 : 0).flatMap { source, _ in
                source.file.path == main.file.path
                    ? [] : source.reader.undecodable.map { "\(fileName(of: source)): \(MissingDecoder.note($0))" }
            }
    }

    private func fileName(of source: MovieSource) -> String {
        source.file.path.lastComponent.map { String(decoding: $0) } ?? source.file.path.displayName
    }

    // MARK: As it runs

    var failure: GStreamerError? {
        sources.lazy.compactMap(\.failure).first
            ?? composed?.refusal.map {
                GStreamerError(element: "composition", message: "frames cannot be drawn: \($0)")
            }
    }
    var decoderName: String { main.decoderName }
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

    /// What audio loses where it is mixed or brought to the main movie's clock.
    private var mixed: [String] {
        guard isMixed else { return [] }
        guard case .movie(let number) = composition.audio else {
            return sounding.compactMap { source, _ in
                let count = audioCount(of: source)
                return count > 1
                    ? "Of the \(count) audio tracks of \(fileName(of: source)) the first alone is mixed." : nil
            }
        }
        let source = sources[number]
        let count = audioCount(of: source)
        let tracks = count > 1 ? ", the first of its \(count) tracks alone" : ""
        let name = source.file.path.displayName
        return ["The audio of \(name) follows the main movie's clock: stereo at 48 kHz\(tracks)."]
    }

    private func audioCount(of source: MovieSource) -> Int {
        (source.tracks.map(\.stream) + source.reader.leftOut + source.reader.undecodable).count { $0.kind == .audio }
    }

    func losses(_ delivered: Delivered) -> [String] {
        let end = delivered.run.end + delivered.range.origin
        // How long its audio is says nothing where another's is taken.
        let own = composition.audio == .movie(0) ? main.losses(delivered) : main.streamLosses(delivered)
        return own + mixed
            + zip(sources.dropFirst(), composed?.spans ?? []).compactMap { source, span in
                let name = fileName(of: source)
                guard let span else { return "\(name) has no frame for this part; the others are shown without it." }
                let slack = 100 * MediaTime.millisecond
                let begins = span.lowerBound - delivered.range.origin
                let late = begins > slack ? "begins \(begins.words) after the others" : nil
                let early = end - span.upperBound > slack ? "ends \((end - span.upperBound).words) before them" : nil
                let words = [late, early].compactMap(\.self)
                return words.isEmpty
                    ? nil : "\(name) \(words.joined(separator: " and ")); there they are shown without it."
            }
    }

    var printedSource: [PipelineDescription.Node] { main.printedSource }
    func printedNodes(_ kind: SourceStream.Kind) throws -> [PipelineDescription.Node] { try main.printedNodes(kind) }
}

extension MediaTime {
    /// For people: "1.52 s".
    var words: String { "\((seconds * 100).rounded() / 100) s" }
}
