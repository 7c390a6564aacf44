import Errors
import LiveActivity
import MovieFiles
import SystemPackage

/// A part of a movie that is open already, for an export of its own.
struct PartOrigin: ExportOrigin {
    private let movie: MovieInput
    let path: FilePath
    var kind: ActivityKind { .transcode }

    /// - Parameters:
    ///   - path: as it was named.
    ///   - part: whose title becomes the movie's, and whose chapters go with it.
    init(_ movie: MovieInput, at path: FilePath, _ part: SeparateParts.Part) {
        (self.movie, self.path) = (movie.titled(part.title, chapters: part.chapters), path)
    }

    func open() throws -> @Sendable () throws -> any ExportInput { { [movie] in movie } }
}
