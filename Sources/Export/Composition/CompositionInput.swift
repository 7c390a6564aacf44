import Encoding
import Errors
import GStreamer
import MediaTypes
import MovieFiles

/// Several movies that are composed as what an export is made of: the main one, with others' frames drawn into its own.
struct CompositionInput: ExportInput {
    private let composition: MovieComposition
    /// The main one first.
    private var movies: [MovieInput]
    /// Where each inset lies; at the beginning until it is known.
    private var found: [MovieAlignment.Found] = []
    /// The main movie's, but turned as the composition is.
    private(set) var properties: InputProperties

    init(_ composition: MovieComposition, _ movies: [MovieInput]) {
        (self.composition, self.movies) = (composition, movies)
        var properties = movies[0].properties
        properties.orientation = composition.orientation
        properties.keepsFrames = false
        if let chapters = composition.chapters { properties.chapters = chapters }
        // Of the movie whose audio it has, the index names the languages.
        if case .movie(let number) = composition.audio {
            let audio = movies[number].properties.declared.filter { $0.kind != .video }
            properties.declared = properties.declared.filter { $0.kind == .video } + audio
        }
        self.properties = properties
    }

    var displayName: String { movies[0].displayName }
    /// None whose bytes could be copied.
    var file: InputFile? { nil }
    var readFiles: [InputFile] { movies.flatMap(\.readFiles) }
    var notes: [String] { zip(found, movies.dropFirst()).compactMap { MovieAlignment.note($0, $1) } }

    func prepared(_ status: ExportStatus) async throws -> any ExportInput {
        var placed = self
        for (index, movie) in movies.enumerated() { placed.movies[index] = await movie.measured() }
        placed.properties.duration = placed.movies[0].properties.duration
        let alignment = MovieAlignment(main: placed.movies[0], status: status)
        placed.found = []
        for movie in placed.movies.dropFirst() {
            placed.found.append(try await alignment.find(movie, by: composition.alignment))
        }
        return placed
    }

    func source(for target: ExportTarget, without reasons: RetryReasons) throws -> any FrameSource {
        try ContainerRules.checkVideo(in: target.container)
        let places = (0..<movies.count - 1).map { found.indices.contains($0) ? found[$0].place : InsetPlace() }
        let isMixed = CompositionSource.isMixed(composition.audio, places)
        let sizes = movies.map { $0.properties.movie?.video.first?.size }
        let threads = DecodingThreads.shares(sizes, cores: MachineCores.available)
        let sources = try movies.enumerated().map { index, movie in
            var choice = StreamChoice(target: target, properties: movie.properties)
            (choice.isComposed, choice.mixFormat) = (true, isMixed ? MovieAudioMix.format : nil)
            choice.takesAudio = [.movie(index), .mixed].contains(composition.audio)
            return try movie.source(choice, threads: threads[index], without: reasons)
        }
        return CompositionSource(
            composition, sources, places, keepsChroma: target.keepsChroma, takesAudio: target.audio != AudioCodec.none)
    }
}
