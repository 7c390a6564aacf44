import FileSystem
import Foundation
import MovieFiles
import SystemPackage

/// Where a batch's folder is, and how files on the same disk are found from there, wherever that is mounted.
struct BatchPlace: Sendable {
    /// Without links.
    let folder: FilePath
    private let device: UInt64
    /// The folders of inputs, as they were looked up: without links, `nil` on another disk.
    private var known: [FilePath: FilePath?] = [:]

    /// - Parameter outputs: the folder of the outputs; `nil` comes of one that is not there.
    init?(_ outputs: FilePath) {
        guard let folder = Self.real(outputs), let device = Self.device(folder) else { return nil }
        (self.folder, self.device) = (folder, device)
    }

    /// A path as seen from the folder; `nil` for a file on another disk, whose place says nothing of that.
    mutating func relative(_ path: FilePath) -> String? {
        guard let name = path.lastComponent, let parent = parent(path.removingLastComponent()) else { return nil }
        let (from, to) = (Array(folder.components), Array(parent.components))
        let shared = zip(from, to).prefix { $0 == $1 }.count
        // What lies between may be another disk.
        guard Self.device(FilePath(root: "/", from[..<shared])) == device else { return nil }
        let up = Array(repeating: FilePath.Component(".."), count: from.count - shared).compactMap(\.self)
        // As if it were absolute, so that names of any bytes can be written.
        return FilePath(root: "/", up + to[shared...] + [name]).wireText
    }

    /// The file that such a path names here; `nil` where there is none.
    func existing(_ relative: String) -> FilePath? {
        guard let path = FilePath(wireText: relative) else { return nil }
        let found = FilePath(root: folder.root, folder.components + path.components).lexicallyNormalized()
        return found.isThere ? found : nil
    }

    private mutating func parent(_ path: FilePath) -> FilePath? {
        if let found = known[path] { return found }
        let found = Self.real(path).flatMap { Self.device($0) == device ? $0 : nil }
        known[path] = .some(found)
        return found
    }

    /// A path without links; `nil` where nothing is there.
    static func real(_ path: FilePath) -> FilePath? {
        path.withPlatformString { pointer in
            guard let found = realpath(pointer, nil) else { return nil }
            defer { free(found) }
            return FilePath(platformString: found)
        }
    }

    private static func device(_ path: FilePath) -> UInt64? {
        var status = stat()
        return path.withPlatformString { stat($0, &status) } == 0 ? UInt64(status.st_dev) : nil
    }
}

extension FilePath {
    /// As it is called from the root, in one way only.
    var rooted: FilePath { isAbsolute ? self : absolute.lexicallyNormalized() }
}
