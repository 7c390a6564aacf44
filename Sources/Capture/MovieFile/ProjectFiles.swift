import EditProjects
import Encoding
import Errors
import FileSystem
import Foundation
import SystemPackage

/// The files with which editors take up a recording of several cameras again: "talk.otio" and "talk.mlt" beside "talk.mov".
struct ProjectFiles: Sendable {
    private let otio, mlt: MovieDestination
    private let name: String

    init(beside movie: MovieDestination) {
        func file(_ ending: String) -> MovieDestination {
            var path = movie.path
            path.extension = ending
            return MovieDestination(path, replacesExisting: movie.replacesExisting)
        }
        (otio, mlt, name) = (file("otio"), file("mlt"), movie.path.stem ?? "movie")
    }

    /// - Throws: ``RushesError`` if they cannot be had, in one sentence with the cure.
    func check() throws(RushesError) { for file in [otio, mlt] { try file.check(needing: 0) } }

    /// Which file the project cannot be told in, and why, in a sentence; nil where it can be in all.
    func omission(of project: EditProject) -> String? {
        guard let reason = project.obstacleToMLT, let name = mlt.path.lastComponent else { return nil }
        return "\(String(decoding: name)) is left out: \(reason)."
    }

    /// Each is there whole, or as it was before.
    ///
    /// - Returns: where they are.
    /// - Throws: why the disk refuses.
    func write(_ project: EditProject) throws -> [FilePath] {
        var contents = [(otio.path, try project.otio(name: name))]
        if project.obstacleToMLT == nil { contents.append((mlt.path, try project.mlt(name: name))) }
        // Somebody may have taken a name meanwhile.
        try check()
        for (path, data) in contents {
            try AtomicFile.replace(
                path, with: data, permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite], isLasting: true)
        }
        return contents.map(\.0)
    }
}
