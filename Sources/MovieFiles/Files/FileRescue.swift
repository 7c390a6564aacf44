import Errors
import FileSystem
import Foundation
package import SystemPackage

/// Keeps an open file that somebody deleted.
///
/// The kernel gives no name to a file that has lost its last one (linkat(2); only what never had one gets its first), so its
/// bytes go into a new file (``NamelessFile``), shared where the file system can do that. The new file has its name from the beginning: what is
/// in fragments plays as far as it has come, should the process die meanwhile.
package enum FileRescue {
    /// Gives it a free name again, in the nearest folder that there is; the descriptor then leads to the file of that name.
    ///
    /// - Parameters:
    ///   - descriptor: open for reading and writing.
    ///   - path: its name until then, from the root on.
    ///   - progress: told how many bytes are in the new file, where they have to be copied: a large movie takes minutes.
    /// - Returns: its name.
    /// - Throws: why the last folder that was tried took no file, and what is left of the movie.
    package static func rescue(
        _ descriptor: FileDescriptor, from path: FilePath, progress: (UInt64) -> Void = { _ in }
    ) throws(RescueFailure) -> FilePath {
        let name = path.lastComponent ?? "movie"
        var failure = MovieFileError.system(operation: "keeping the movie", .noSuchFileOrDirectory)
        var movie: NamelessFile
        do { movie = try NamelessFile(descriptor) } catch { throw RescueFailure(cause: error, beginning: nil) }
        defer { movie.close() }
        for folder in folders(above: path) {
            do { return try keep(descriptor, &movie, in: folder, as: name, progress) } catch { failure = error }
        }
        throw RescueFailure(cause: failure, beginning: movie.beginning?.path)
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
        _ descriptor: FileDescriptor, _ movie: inout NamelessFile, in folder: FilePath, as name: FilePath.Component,
        _ progress: (UInt64) -> Void
    ) throws(MovieFileError) -> FilePath {
        for number in 0...999 {
            let path = folder.appending(number == 0 ? name : rescued(name, number))
            do throws(MovieFileError) {
                if link(descriptor, to: path) { return path }
                try movie.copy(to: path, progress)
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
}

/// Why no folder took a movie that has lost its name.
package struct RescueFailure: Error, CustomStringConvertible {
    /// Of the last folder that was tried.
    let cause: MovieFileError
    /// What is left of it: a file that ends where the disk was full.
    let beginning: FilePath?

    package var description: String {
        "\(cause)"
            + (beginning.map { " Its beginning is left as \($0.wireText), which \(Term.recovery) completes." } ?? "")
    }
}
