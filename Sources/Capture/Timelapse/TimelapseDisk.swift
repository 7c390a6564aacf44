import Encoding
import FileSystem
import SystemPackage
import Threads

/// What the disk says of a timelapse's file: how much room there is, and where the file is by now.
final class TimelapseDisk: Sendable {
    private let file = Locked<(path: FilePath, space: DiskSpace, place: FilePath?)?>(nil)

    /// Asks for the space of the disk, and where the file is.
    func refresh(_ movie: TimelapseMovie) {
        let path = movie.destination.path
        let space = file.withLock { file in
            if file?.path != path {
                file = (path, DiskSpace(movie.destination.folder, movie.writer), nil)
            }
            return file?.space
        }
        space?.refresh()
    }

    /// Bytes, at the last answer.
    var free: Int64? { file.withLock { $0?.space.free } }

    /// Where the file was moved to, told once.
    func move(of movie: TimelapseMovie) -> FilePath? {
        file.withLock { file in
            guard let known = file, known.path == movie.destination.path,
                case .moved(let place) = known.space.whereabouts, place != known.place
            else { return nil }
            file?.place = place
            return place
        }
    }

    /// What happened to a file that has no name any more.
    func loss(of movie: TimelapseMovie) -> String? {
        guard let file = file.withLock({ $0 }), file.path == movie.destination.path else { return nil }
        switch file.space.whereabouts {
        case .here, .moved: return nil
        case .deleted, .replaced, .unmounted: return file.space.whereabouts.loss(of: movie.writer.path ?? file.path)
        }
    }
}
