import CFileSpace
import FileSystem
import Foundation
package import SystemPackage

/// Keeps an open file that somebody deleted.
///
/// The kernel gives no name to a file that has lost its last one (linkat(2); only what never had one gets its first), so its
/// bytes go into a new file, shared where the file system can do that. The new file has its name from the beginning: what is
/// in fragments plays as far as it has come, should the process die meanwhile.
package enum FileRescue {
    /// Gives it a free name again, in the nearest folder that there is; the descriptor then leads to the file of that name.
    ///
    /// - Parameters:
    ///   - descriptor: open for reading and writing.
    ///   - path: its name until then, from the root on.
    ///   - progress: told how many bytes are in the new file, where they have to be copied: a large movie takes minutes.
    /// - Returns: its name.
    /// - Throws: why the last folder that was tried took no file.
    package static func rescue(
        _ descriptor: FileDescriptor, from path: FilePath, progress: (UInt64) -> Void = { _ in }
    ) throws(MovieFileError) -> FilePath {
        let name = path.lastComponent ?? "movie"
        var failure = MovieFileError.system(operation: "keeping the movie", .noSuchFileOrDirectory)
        for folder in folders(above: path) {
            do { return try keep(descriptor, in: folder, as: name, progress) } catch { failure = error }
        }
        throw failure
    }

    /// The folders above, from the nearest on; at last such as a person looks into, and one that is always there.
    private static func folders(above path: FilePath) -> [FilePath] {
        var folders: [FilePath] = []
        var folder = path.removingLastComponent()
        while !folder.isEmpty {
            if access(folder.string, W_OK | X_OK) == 0 { folders.append(folder) }
            guard !folder.components.isEmpty else { break }
            folder = folder.removingLastComponent()
        }
        return folders + [FilePath(NSHomeDirectory()), "/tmp"]
    }

    private static func keep(
        _ descriptor: FileDescriptor, in folder: FilePath, as name: FilePath.Component, _ progress: (UInt64) -> Void
    ) throws(MovieFileError) -> FilePath {
        for number in 0...999 {
            let path = folder.appending(number == 0 ? name : rescued(name, number))
            do throws(MovieFileError) {
                if link(descriptor, to: path) { return path }
                try copy(descriptor, to: path, progress)
                return path
            } catch .system(_, .fileExists) {
                continue
            }
        }
        throw .system(operation: "keeping the movie in \(folder.wireText)", .fileExists)
    }

    /// "take.rescued.mov", "take.rescued2.mov", …
    private static func rescued(_ name: FilePath.Component, _ number: Int) -> FilePath.Component {
        let ending = "rescued\(number == 1 ? "" : "\(number)")" + (name.extension.map { ".\($0)" } ?? "")
        let stem = String(decoding: name.stem.utf8Prefix(255 - ending.utf8.count - 1), as: UTF8.self)
        return FilePath.Component(stem + "." + ending) ?? name
    }

    /// Where it has another name still, that is enough.
    private static func link(_ descriptor: FileDescriptor, to path: FilePath) -> Bool {
        path.withPlatformString {
            linkat(AT_FDCWD, "/proc/self/fd/\(descriptor.rawValue)", AT_FDCWD, $0, AT_SYMLINK_FOLLOW)
        } == 0
    }

    private static func copy(
        _ descriptor: FileDescriptor, to path: FilePath, _ progress: (UInt64) -> Void
    ) throws(MovieFileError) {
        let operation = "keeping the movie as \(path.wireText)"
        let opened = path.withPlatformString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
        guard opened >= 0 else { throw MovieFileError(Errno(rawValue: errno), operation: operation) }
        let new = FileDescriptor(rawValue: opened)
        defer { try? new.close() }
        do {
            try copy(descriptor, to: new, progress)
        } catch {
            // What has been taken from the old one is nowhere else.
            if isWhole(descriptor) { path.removeFile() }
            throw error
        }
        guard dup2(opened, descriptor.rawValue) >= 0 else {
            throw MovieFileError(Errno(rawValue: errno), operation: operation)
        }
        _ = fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC)
    }

    /// `SEEK_DATA` of `unistd.h`, which Swift's Glibc module leaves out.
    private static let seekData: CInt = 3

    /// Whether nothing was taken from the file yet.
    private static func isWhole(_ descriptor: FileDescriptor) -> Bool {
        lseek(descriptor.rawValue, 0, seekData) == 0
    }

    /// In bytes.
    private static let pieceSize: UInt64 = 64 << 20

    /// Where the disk has no room for both files, each piece is taken from the old one once the new one has it.
    private static func copy(
        _ old: FileDescriptor, to new: FileDescriptor, _ progress: (UInt64) -> Void
    ) throws(MovieFileError) {
        let size = try ReadableFile(old).size
        var (from, into) = (stat(), stat())
        let isOneDisk = fstat(old.rawValue, &from) == 0 && fstat(new.rawValue, &into) == 0 && from.st_dev == into.st_dev
        let free = freeSpace(new).map { UInt64(clamping: $0) } ?? .max
        let isScarce = free < size + pieceSize
        if isScarce, !isOneDisk { throw .noSpace(operation: "keeping the movie") }
        var place: UInt64 = 0
        while place < size {
            let end = min(size, place + (isScarce ? min(pieceSize, max(1 << 20, free / 4)) : size))
            try FileCopy.copy(place..<end, of: old, to: place, of: new) { (count) throws(MovieFileError) in
                progress(place + count)
            }
            if isScarce {
                let hole = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE
                _ = fallocate(old.rawValue, hole, off_t(place), off_t(end - place))
            }
            place = end
        }
    }
}
