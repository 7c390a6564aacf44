import Errors
package import FileSystem
import Foundation
import MovieFiles
package import SystemPackage

extension MovieDestination {
    /// The file that a movie is being written to.
    struct Created: Sendable {
        let descriptor: FileDescriptor
        /// Where it is until ``commit()``.
        private(set) var path: FilePath
        /// The same from the root on: the folder that this process stands in may get another name too.
        private var place: FilePath
        private let destination: MovieDestination
        /// Whether it takes another file's place in the end.
        private let isReplacement: Bool
        /// What its name was at the beginning, and the file whose place it takes.
        private let (partialName, replaced): (FilePath.Component?, FileIdentity?)

        fileprivate init(_ descriptor: FileDescriptor, _ path: FilePath, _ destination: MovieDestination) {
            (self.descriptor, self.path, self.destination) = (descriptor, path, destination)
            place = path.absolute
            isReplacement = path != destination.path
            (partialName, replaced) = (path.lastComponent, isReplacement ? FileIdentity(destination.path) : nil)
        }

        /// Whether its name is this destination's business.
        var isNamed: Bool { destination.unfinished == nil }

        /// Blocks as long as the disk does.
        var whereabouts: FileWhereabouts {
            destination.unfinished == nil ? FileWhereabouts(of: descriptor, at: place) : .here
        }

        /// Follows the file where it was given another name, and keeps it under a free one where it has none any more.
        ///
        /// - Parameter progress: told how many bytes of it are kept.
        /// - Returns: what happened to it, where it had to be kept.
        /// - Throws: ``RushesError`` if no folder has room for it; then it is gone.
        mutating func settle(_ progress: (UInt64) -> Void) throws(RushesError) -> FinishedFile.Fault? {
            let found = whereabouts
            switch found {
            case .here: return nil
            case .moved(let name):
                (path, place) = (name, name)
                return nil
            case .deleted, .replaced, .unmounted:
                let words = found.loss(of: path)
                do { place = try FileRescue.rescue(descriptor, from: place, progress: progress) } catch {
                    throw RushesError(
                        .writeFailed, on: path.string, "\(words), and could not be kept: \(error)", underlying: error)
                }
                path = place
                return .lost(words)
            }
        }

        /// Gives the complete movie the name of the old one, in one step, where it is to take that one's place: in the folder where it is
        /// by now, and that of no other file than was there at the beginning. One that somebody gave a name of its own keeps that.
        ///
        /// - Returns: why it stays under its own name, for people; `nil` where nothing is wrong.
        mutating func commit() -> String? {
            guard isReplacement, path.lastComponent == partialName, let name = destination.path.lastComponent else {
                return nil
            }
            let target = path.removingLastComponent().appending(name)
            let isThere = target.isTaken
            guard !isThere || FileIdentity(target) == replaced else {
                return "\(target) was replaced while the new movie was being recorded"
            }
            guard FileWriters.isStillWritten(target) != true else { return "another program is writing \(target)" }
            do { try path.moveFile(to: target, replacing: isThere) } catch {
                return "\(target) cannot be replaced: \(error)"
            }
            path = target
            return nil
        }

        /// Takes the file away again, or what is in it where it is the caller's; before it is closed.
        func remove() {
            // What was there before stays.
            guard !destination.isContinued else { return }
            guard destination.unfinished == nil else {
                _ = ftruncate(descriptor.rawValue, 0)
                return
            }
            switch whereabouts {
            case .here: path.removeFile()
            case .moved(let name): name.removeFile()
            // What has its name now is somebody else's.
            case .deleted, .replaced, .unmounted: break
            }
        }
    }

    /// Creates the file that is written to; never one that is there already.
    ///
    /// - Throws: ``RushesError`` if the name was taken meanwhile, somebody else records to it, or the file cannot be created.
    func create() throws(RushesError) -> Created {
        if let unfinished {
            do { return Created(try unfinished.openEmpty(), path, self) } catch {
                throw RushesError(
                    .notWritable, on: path.string, "The movie's file cannot be opened: \(error).", underlying: error)
            }
        }
        if isContinued {
            do {
                return Created(
                    try FileDescriptor.open(path, .readWrite, options: [.closeOnExec, .nonBlocking]), path, self)
            } catch {
                throw RushesError(
                    .notWritable, on: path.string, "\(path) cannot be opened to be continued: \(error).",
                    underlying: error)
            }
        }
        if !replacesExisting || FileStatus(path) == nil {
            do { return try create(path) } catch {
                guard replacesExisting, error.code == .fileExists else { throw error }
            }
        }
        try expectNoOther()
        return try createPartial()
    }

    /// "NAME.part.EXT" in the same folder. A part that is there already may be all that is left of a killed take, so it is
    /// never written over.
    private func createPartial() throws(RushesError) -> Created {
        for number in 1...Self.maximumPartCount {
            let partial = partialPath(number)
            if !partial.isTaken {
                do { return try create(partial) } catch {
                    // Somebody was faster.
                    guard error.code == .fileExists else { throw error }
                }
            }
            if FileWriters.isWritten(partial) == true { throw isRecorded }
        }
        throw RushesError(
            .fileExists, on: path.string, "There are too many unfinished parts beside \(path); recover or remove them.")
    }

    private static let maximumPartCount = 999

    /// Sees to it that nobody else is recording what would take the same place: of two, the first would be lost.
    func expectNoOther() throws(RushesError) {
        if isBeingWritten { throw isRecorded }
        for number in 1...Self.maximumPartCount {
            let partial = partialPath(number)
            guard partial.isTaken else { return }
            if FileWriters.isWritten(partial) == true { throw isRecorded }
        }
    }

    private var isRecorded: RushesError {
        RushesError(
            .fileExists, on: path.string,
            "\(path) is being written by another program; wait until it has finished, or choose another name.")
    }

    private func partialPath(_ number: Int) -> FilePath { path(ending: number == 1 ? ".part" : ".part\(number)") }

    private func create(_ target: FilePath) throws(RushesError) -> Created {
        do {
            let descriptor = try FileDescriptor.open(
                target, .readWrite,
                options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            return Created(descriptor, target, self)
        } catch let error as Errno where error == .fileExists {
            throw RushesError(
                .fileExists, on: target.string,
                "\(target) already exists; choose another name, or \(Term.overwriting).")
        } catch {
            throw RushesError(
                .notWritable, on: target.string, "\(target) cannot be created: \(error).", underlying: error)
        }
    }
}

extension FileWhereabouts {
    /// What happened to a file, for people.
    package func loss(of path: FilePath) -> String {
        let deed =
            switch self {
            case .replaced: "was replaced"
            case .unmounted: "was unmounted with its disk"
            case .here, .moved, .deleted: "was deleted"
            }
        return "\(path) \(deed) while it was being recorded"
    }
}
