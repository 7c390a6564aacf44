import Errors
import Encoding
import LiveActivity
import SystemPackage

/// What somebody wants a movie made of, before anything is opened: a file, or what a timelapse is made of.
protocol ExportOrigin: Sendable {
    /// What activities call the work.
    var kind: ActivityKind { get }
    /// What errors name, and activities list first.
    var path: FilePath { get }
    /// All that is read, none of which may be the output.
    var inputs: [FilePath] { get }
    /// Images that are written beside the movie.
    var images: [MovieDestination] { get }

    /// Opens it, so that what is looked at is what is exported, whatever gets its name meanwhile. Blocks.
    ///
    /// - Returns: what reads what it tells about itself, which blocks too.
    /// - Throws: ``RushesError`` if it cannot be opened, and from the closure if it is not fit.
    func open() throws -> @Sendable () throws -> any ExportInput
}

extension ExportOrigin {
    var inputs: [FilePath] { [path] }
    var images: [MovieDestination] { [] }
}

/// A movie file, for an export.
struct MovieOrigin: ExportOrigin {
    let path: FilePath
    var kind: ActivityKind { .transcode }

    func open() throws -> @Sendable () throws -> any ExportInput {
        let file = try InputFile(path)
        return { try MovieInput(file) }
    }
}
