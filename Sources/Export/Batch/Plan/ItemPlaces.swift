import Foundation
import SystemPackage

/// A file, by whatever name.
struct Inode: Hashable {
    private let device: UInt64
    private let inode: UInt64

    /// - Returns: `nil` where there is no file. Symbolic links are followed.
    init?(_ path: FilePath) {
        var status = stat()
        guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}

/// The files that an item reads and replaces, as they are now.
struct ItemPlaces: Sendable {
    /// With the paths that lead there.
    var inputs: [(Inode, FilePath)] = []
    /// What has the output's name; `nil` where nothing has.
    var output: Inode?
    /// Why it is not exported, in a sentence; `nil` where nothing speaks against it.
    var problem: String?

    /// Of an item of which nothing is known.
    init() {}

    /// Blocks for the disk.
    init(_ item: BatchItem) {
        inputs = item.inputs.compactMap { path in Inode(path).map { ($0, path) } }
        output = Inode(item.output)
    }
}
