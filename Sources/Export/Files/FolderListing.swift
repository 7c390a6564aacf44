import Foundation
import MovieFiles
import SystemPackage

/// The names in a folder, byte for byte: Foundation's own listing leaves out those that are not UTF-8.
enum FolderListing {
    /// In the file system's order; none where the folder cannot be read.
    static func names(in folder: FilePath) -> [FilePath.Component] {
        guard let stream = folder.withPlatformString({ opendir($0) }) else { return [] }
        return names(takenFrom: stream)
    }

    /// - Parameter stream: it is closed.
    static func names(takenFrom stream: OpaquePointer) -> [FilePath.Component] {
        defer { closedir(stream) }
        var names: [FilePath.Component] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    FilePath.Component(platformString: $0)
                }
            }
            if let name, name.kind == .regular { names.append(name) }
        }
        return names
    }

    /// The movies in a folder, as people order them: "clip 2" before "clip 10". Hidden files and those in folders within
    /// are left out, and so are files with other endings: a folder of takes holds notes and frames too.
    static func movies(in folder: FilePath) -> [FilePath] {
        names(in: folder).filter(isMovie).map { (folder.appending($0), FilePath(root: nil, [$0]).wireText) }
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

    static func isFolder(_ path: FilePath) -> Bool { kind(path) == S_IFDIR }
    static func isFile(_ path: FilePath) -> Bool { kind(path) == S_IFREG }

    private static func kind(_ path: FilePath) -> mode_t? {
        var status = stat()
        return path.withPlatformString { stat($0, &status) } == 0 ? status.st_mode & S_IFMT : nil
    }

    /// What cameras, phones and programs write.
    private static let endings: Set<String> = [
        "3g2", "3gp", "asf", "avi", "dv", "f4v", "flv", "m2ts", "m2v", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts",
        "mxf", "ogm", "ogv", "qt", "ts", "vob", "webm", "wmv",
    ]
}
