package import Errors
import FileSystem
import Foundation
import MovieFiles
package import SystemPackage

/// The movies in a folder.
package enum FolderListing {
    /// What a folder holds. Hidden files count as none.
    package struct Contents: Sendable {
        /// As people order them: "clip 2" before "clip 10", and a folder's own before those of the folders within.
        package fileprivate(set) var movies: [FilePath] = []
        /// Files with other endings: a folder of takes holds notes and frames too.
        package fileprivate(set) var others: [FilePath] = []
        /// Folders within that are searched.
        package fileprivate(set) var folders: [FilePath] = []
        /// Folders within that cannot be read, and why.
        package fileprivate(set) var unreadable: [(folder: FilePath, reason: Errno)] = []

        /// A sentence on each folder that cannot be read.
        package var notes: [String] {
            unreadable.map { "The folder \($0.folder.wireText) cannot be read and is left out: \($0.reason)." }
        }
    }

    /// - Throws: ``RushesError`` where the folder cannot be read.
    package static func movies(in folder: FilePath) throws(RushesError) -> [FilePath] {
        try contents(of: folder, keepsOthers: false).movies
    }

    /// - Parameters:
    ///   - isRecursive: whether folders within are searched too. Links to folders are not followed: they may lead back.
    ///   - excluded: a folder that is not searched.
    ///   - includesAudio: whether audio files count as movies.
    ///   - keepsOthers: whether files with other endings are listed. Else nothing is asked of them, as of thousands of photos in a folder that is
    ///     watched; with folders within, no more than whether they are folders.
    /// - Throws: ``RushesError`` where the folder itself cannot be read.
    package static func contents(
        of folder: FilePath, isRecursive: Bool = false, without excluded: FilePath? = nil, keepsOthers: Bool = true,
        includesAudio: Bool = false
    ) throws(RushesError) -> Contents {
        var contents = Contents()
        let search = Search(
            isRecursive: isRecursive, excluded: excluded, keepsOthers: keepsOthers,
            endings: includesAudio ? endings.union(audioEndings) : endings)
        do throws(Errno) { try add(folder, search, to: &contents) } catch {
            throw RushesError(
                .badInput, on: folder.string, "The folder \(folder.wireText) cannot be read: \(error).",
                underlying: error)
        }
        return contents
    }

    /// What is looked for, and where.
    private struct Search {
        var isRecursive: Bool
        var excluded: FilePath?
        var keepsOthers: Bool
        let endings: Set<String>

        func isMovie(_ name: FilePath.Component) -> Bool {
            name.extension.map { endings.contains($0.lowercased()) } ?? false
        }
    }

    private static func add(_ folder: FilePath, _ search: Search, to contents: inout Contents) throws(Errno) {
        var folders: [FilePath] = []
        let names = try FolderDescriptor.names(in: folder).filter {
            $0.string.first != "." && (search.keepsOthers || search.isRecursive || search.isMovie($0))
        }
        for name in sorted(names) {
            let path = folder.appending(name)
            if isFile(path) {
                if search.isMovie(name) {
                    contents.movies.append(path)
                } else if search.keepsOthers {
                    contents.others.append(path)
                }
            } else if search.isRecursive, isFolder(path), !path.isLink {
                if search.excluded?.isSameFile(as: path) != true { folders.append(path) }
            }
        }
        for within in folders {
            contents.folders.append(within)
            do throws(Errno) { try add(within, search, to: &contents) } catch {
                // Of one that has gone meanwhile there is nothing to tell.
                if error != .noSuchFileOrDirectory { contents.unreadable.append((within, error)) }
            }
        }
    }

    private static func sorted(_ names: [FilePath.Component]) -> [FilePath.Component] {
        names.map { ($0, FilePath(root: nil, [$0]).wireText) }.sorted { one, other in
            let order = one.1.compare(other.1, options: [.numeric, .caseInsensitive])
            return order == .orderedSame ? one.1 < other.1 : order == .orderedAscending
        }.map(\.0)
    }

    package static func isFolder(_ path: FilePath) -> Bool { FileStatus(path)?.isFolder == true }
    static func isFile(_ path: FilePath) -> Bool { FileStatus(path)?.isRegularFile == true }

    /// What cameras, phones and programs write. Not the small copies that cameras lay beside their movies under the same name (LRV), and no images
    /// that move: they are exported where they are named.
    private static let endings: Set<String> = [
        "360", "3g2", "3gp", "asf", "avi", "divx", "dv", "f4v", "flv", "insv", "m1v", "m2p", "m2t", "m2ts", "m2v",
        "m4v",
        "mjpg", "mk3d", "mkv", "mod", "mov", "mp4", "mpe", "mpeg", "mpg", "mts", "mxf", "ogm", "ogv", "qt", "rm", "tod",
        "trp", "ts", "vob", "webm", "wmv", "y4m",
    ]
    /// What recorders of audio write, and what music is sold in.
    private static let audioEndings: Set<String> = [
        "aac", "ac3", "aif", "aifc", "aiff", "amr", "ape", "caf", "flac", "m4a", "m4b", "mka", "mp2", "mp3", "oga",
        "ogg", "opus", "rf64", "w64", "wav", "wma", "wv",
    ]
}
