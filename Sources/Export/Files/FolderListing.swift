import FileSystem
import Foundation
import MovieFiles
package import SystemPackage

/// The movies in a folder.
package enum FolderListing {
    /// The movies in a folder, as people order them: "clip 2" before "clip 10". Hidden files and those in folders within
    /// are left out, and so are files with other endings: a folder of takes holds notes and frames too. None where the folder
    /// cannot be read.
    package static func movies(in folder: FilePath) -> [FilePath] {
        ((try? FolderDescriptor.names(in: folder)) ?? []).filter(isMovie).map {
            (folder.appending($0), FilePath(root: nil, [$0]).wireText)
        }
        .filter { isFile($0.0) }
        .sorted { one, other in
            let order = one.1.compare(other.1, options: [.numeric, .caseInsensitive])
            return order == .orderedSame ? one.1 < other.1 : order == .orderedAscending
        }.map(\.0)
    }

    static func isMovie(_ name: FilePath.Component) -> Bool {
        guard let ending = name.extension?.lowercased(), let first = name.string.first else { return false }
        return first != "." && endings.contains(ending)
    }

    package static func isFolder(_ path: FilePath) -> Bool { FileStatus(path)?.isFolder == true }
    static func isFile(_ path: FilePath) -> Bool { FileStatus(path)?.isRegularFile == true }

    /// What cameras, phones and programs write.
    private static let endings: Set<String> = [
        "3g2", "3gp", "asf", "avi", "dv", "f4v", "flv", "m2ts", "m2v", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts",
        "mxf", "ogm", "ogv", "qt", "ts", "vob", "webm", "wmv",
    ]
}
