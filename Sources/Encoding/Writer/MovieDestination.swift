import Foundation
public import SystemPackage

/// Where a movie is to be, and how it gets there without harm to what is there now.
///
/// A new name is written at once, so that a killed recorder leaves its file where people look for it. To replace a file,
/// the movie is written beside it under "NAME.part.EXT" and takes its place in one step when it is complete.
public struct MovieDestination: Sendable, Hashable {
    public let path: FilePath
    public let replacesExisting: Bool

    public init(_ path: FilePath, replacesExisting: Bool = false) {
        self.path = path
        self.replacesExisting = replacesExisting
    }

    /// The folder that the movie is in.
    public var folder: FilePath {
        let folder = path.removingLastComponent()
        return folder.isEmpty ? "." : folder
    }

    /// Checks all that can be known before: the folder exists and can be written, the name is free, there is some space.
    ///
    /// - Throws: ``EncodingError`` in one sentence with the cure.
    public func check(needing bytes: Int64 = 16 << 20) throws(EncodingError) {
        guard let status = FileStatus(folder) else {
            throw EncodingError(.noFolder, "The folder \(folder) does not exist; create it first.")
        }
        guard status.isFolder else { throw EncodingError(.noFolder, "\(folder) is not a folder; name another place.") }
        if let existing = FileStatus(path) {
            guard !existing.isFolder else { throw EncodingError(.fileExists, "\(path) is a folder; name a file in it.") }
            guard replacesExisting else {
                throw EncodingError(.fileExists, "\(path) exists already; choose another name, or replace it with --overwrite.")
            }
            guard existing.isRegularFile else {
                throw EncodingError(.fileExists, "\(path) is not an ordinary file; name another.")
            }
        }
        guard isWritable(folder) else {
            throw EncodingError(.notWritable, "The folder \(folder) cannot be written; choose another or change its permissions.")
        }
        if let free = freeSpace(folder), free < bytes {
            throw EncodingError(
                .diskFull, "Only \(free / 1_000_000) MB are free in \(folder); make room or choose another disk.")
        }
    }

    /// Creates the file that is written to; never one that is there already.
    ///
    /// - Returns: the open file, and its path where that is not ``path``, to be renamed when the movie is complete.
    /// - Throws: ``EncodingError`` if the name was taken meanwhile or the file cannot be created.
    func create() throws(EncodingError) -> (descriptor: FileDescriptor, partial: FilePath?) {
        if !replacesExisting || !fileExists(path) { return (try open(path), nil) }
        // A part that is there already may be all that is left of a killed take, so it is never written over.
        for number in 1...999 {
            let partial = partialPath(number)
            if !fileExists(partial) { return (try open(partial), partial) }
        }
        throw EncodingError(.fileExists, "There are too many unfinished parts beside \(path); recover or remove them.")
    }

    /// Puts the complete movie in the old one's place, in one step.
    func replace(by partial: FilePath) throws(EncodingError) {
        let result = partial.withPlatformString { from in path.withPlatformString { rename(from, $0) } }
        guard result == 0 else {
            throw EncodingError(.writeFailed, "The movie is complete as \(partial), but cannot replace \(path): \(Errno(rawValue: errno)).")
        }
    }

    private func partialPath(_ number: Int) -> FilePath {
        let suffix = number == 1 ? "part" : "part\(number)"
        return path.removingLastComponent().appending("\(path.stem ?? "movie").\(suffix).\(path.extension ?? "mov")")
    }

    private func open(_ target: FilePath) throws(EncodingError) -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                target, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch let error as Errno where error == .fileExists {
            throw EncodingError(.fileExists, "\(target) exists already; choose another name, or replace it with --overwrite.")
        } catch {
            throw EncodingError(.notWritable, "\(target) cannot be created: \(error).")
        }
    }
}

extension MovieDestination {
    /// What the file's ending stands for.
    ///
    /// - Throws: ``EncodingError`` if it stands for no movie.
    public func container() throws(EncodingError) -> Container { try Container(fileName: path.string) }
}
