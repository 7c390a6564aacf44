import Foundation
import MovieFiles
import SystemPackage

extension MovieDestination {
    /// The file that a movie is being written to.
    struct Created: Sendable {
        let descriptor: FileDescriptor
        /// Where it is until ``commit()``.
        let path: FilePath
        private let destination: MovieDestination

        fileprivate init(_ descriptor: FileDescriptor, _ path: FilePath, _ destination: MovieDestination) {
            (self.descriptor, self.path, self.destination) = (descriptor, path, destination)
        }

        /// Gives the complete movie its name, in one step; where there was an old one, that goes. Returns the name.
        ///
        /// - Throws: ``EncodingError`` if the old one cannot be replaced; the new one then stays under its own name.
        func commit() throws(EncodingError) -> FilePath {
            guard path != destination.path else { return path }
            guard !destination.isBeingWritten else {
                throw EncodingError(
                    .writeFailed,
                    "The movie is complete as \(path), but another program is writing \(destination.path) now.")
            }
            do { try path.moveFile(to: destination.path, replacing: true) } catch {
                throw EncodingError(
                    .writeFailed, "The movie is complete as \(path), but cannot replace \(destination.path): \(error).")
            }
            return destination.path
        }

        /// Takes the file away again, or what is in it where it is the caller's; before it is closed.
        func remove() {
            if destination.unfinished != nil { _ = ftruncate(descriptor.rawValue, 0) } else { path.removeFile() }
        }
    }

    /// Creates the file that is written to; never one that is there already.
    ///
    /// - Throws: ``EncodingError`` if the name was taken meanwhile or the file cannot be created.
    func create() throws(EncodingError) -> Created {
        if let unfinished {
            do { return Created(try unfinished.openEmpty(), path, self) } catch {
                throw EncodingError(.notWritable, "The movie's file cannot be opened: \(error).")
            }
        }
        if !replacesExisting || !fileExists(path) { return try create(path) }
        return try createPartial()
    }

    /// "NAME.part.EXT" in the same folder. A part that is there already may be all that is left of a killed take, so it is
    /// never written over.
    private func createPartial() throws(EncodingError) -> Created {
        for number in 1...999 {
            let partial = partialPath(number)
            guard !isTaken(partial) else { continue }
            do { return try create(partial) } catch {
                // Somebody was faster.
                guard error.code == .fileExists else { throw error }
            }
        }
        throw EncodingError(.fileExists, "There are too many unfinished parts beside \(path); recover or remove them.")
    }

    /// A name that this makes too long for its file system loses its end; whose the part is can be read all the same.
    private func partialPath(_ number: Int) -> FilePath {
        let ending = ".\(number == 1 ? "part" : "part\(number)").\(path.extension ?? "mov")"
        let room = longestName(in: folder) - ending.utf8.count
        var stem = path.stem ?? "movie"
        while stem.utf8.count > max(1, room) { stem.removeLast() }
        return path.removingLastComponent().appending(stem + ending)
    }

    private func create(_ target: FilePath) throws(EncodingError) -> Created {
        do {
            let descriptor = try FileDescriptor.open(
                target, .readWrite,
                options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            return Created(descriptor, target, self)
        } catch let error as Errno where error == .fileExists {
            throw EncodingError(
                .fileExists, "\(target) exists already; choose another name, or replace it with --overwrite.")
        } catch {
            throw EncodingError(.notWritable, "\(target) cannot be created: \(error).")
        }
    }
}
