import Encoding
import Errors
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// Movies one behind the other as what an export is made of, whose frames and audio are encoded as those of one.
struct JoinInput: ExportInput {
    private let movies: [MovieInput]
    /// How long each is; known once it is prepared.
    private var lengths: [MediaTime] = []
    /// What is not taken of them, in full sentences.
    private var omissions: [String] = []
    /// The first one's, with the chapters and the length of all.
    private(set) var properties: InputProperties

    init(_ movies: [MovieInput]) {
        self.movies = movies
        var properties = movies[0].properties
        properties.orientation = .upright
        properties.keepsFrames = false
        properties.duration = nil
        // How long its tracks are says nothing of those of all.
        properties.movie?.audio = []
        self.properties = properties
    }

    var displayName: String { movies[0].displayName }
    /// None whose bytes could be copied.
    var file: InputFile? { nil }
    var readFiles: [InputFile] { movies.flatMap(\.readFiles) }
    var notes: [String] {
        movies.flatMap(\.notes) + omissions
            + (properties.timeCode == nil ? [] : ["The time code is the first movie's, and continues from there."])
    }

    func prepared(_ status: ExportStatus) async throws -> any ExportInput {
        var measured = self
        var (begin, chapters) = (MediaTime.zero, [MovieInfo.Chapter]())
        for movie in movies {
            guard let length = await movie.measuredLength(), length > .zero else {
                throw RushesError(
                    .badInput, on: movie.path.string,
                    "\(movie.displayName) does not say how long it lasts; copy it to a movie first with \(Term.copying)."
                )
            }
            let own = movie.properties.chapters
            chapters +=
                own.isEmpty
                ? [.init(start: begin, title: movie.path.stem ?? movie.fileName)]
                : own.map { .init(start: begin + $0.start, title: $0.title) }
            measured.lengths.append(length)
            measured.omissions += try await onOwnThread("rushes-join") { Self.omissions(of: movie) }
            begin = begin + length
        }
        measured.properties.duration = begin
        measured.properties.chapters = chapters
        return measured
    }

    /// Blocks.
    private static func omissions(of movie: MovieInput) -> [String] {
        guard movie.properties.hasOwnSubtitles, let file = movie.file,
            let listed = try? ChoosableTracks(of: FilePath(file.location))
        else { return [] }
        let audio =
            listed.audio.count > 1 ? "Of the audio of \(movie.displayName) the first track alone is joined." : nil
        return [audio].compactMap(\.self)
    }

    var joinedMovies: [MovieSubtitles.JoinedMovie] {
        var begin = MediaTime.zero
        return zip(movies, lengths).compactMap { movie, length in
            defer { begin = begin + length }
            guard movie.properties.hasOwnSubtitles, let file = movie.file else { return nil }
            return .init(
                file: JoinedFile(FilePath(file.location)),
                span: .init(origin: 0, end: length.nanoseconds, begin: begin.nanoseconds))
        }
    }

    func source(for target: ExportTarget, without reasons: RetryReasons) throws -> any FrameSource {
        JoinSource(
            movies.map(\.displayName), lengths, size: target.settings.size, hasVideo: target.container.holdsVideo
        ) { [movies, lengths] index, format in
            let movie = movies[index]
            var choice = StreamChoice(target: target, properties: movie.properties)
            (choice.isComposed, choice.joined) = (true, format)
            let begin = lengths[..<index].reduce(MediaTime.zero) { $0 + $1 }
            return PartsSource(
                PartPlan(whole: lengths[index], at: begin), of: movie.displayName, seeks: false
            ) { [choice] in try movie.source(choice, without: reasons) }
        }
    }
}
