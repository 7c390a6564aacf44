import Foundation
package import SystemPackage

/// Where a file is that is open, whatever others have done with its name.
package enum FileWhereabouts: Sendable, Equatable {
    /// Where it was created.
    case here
    /// It was given another name, or its folder was.
    case moved(FilePath)
    /// It has no name, and nothing else has the one it had.
    case deleted
    /// It has no name, and another file has the one it had.
    case replaced
    /// It has a name still, on a disk that was taken out of the tree of folders.
    case unmounted

    /// Blocks as long as the disk does.
    ///
    /// - Parameter path: where it was created, from the root on.
    package init(of descriptor: FileDescriptor, at path: FilePath) {
        self.init(seen: descriptor, at: path)
        // Between two looks at its name it may have got another one.
        for _ in 0..<2 where self == .unmounted { self.init(seen: descriptor, at: path) }
    }

    private init(seen descriptor: FileDescriptor, at path: FilePath) {
        var (own, there) = (stat(), stat())
        guard fstat(descriptor.rawValue, &own) == 0 else {
            self = .here
            return
        }
        let isThere = path.withPlatformString { stat($0, &there) } == 0
        // Who may not look any more cannot tell, as long as it has a name.
        let isUnknown = !isThere && ![ENOENT, ENOTDIR].contains(errno) && own.st_nlink > 0
        if isUnknown || (isThere && own.isSame(as: there)) {
            self = .here
        } else if own.st_nlink > 0, let name = Self.name(of: descriptor), !name.isLeftover {
            let isNamed = name.withPlatformString { lstat($0, &there) } == 0 && own.isSame(as: there)
            self = isNamed ? .moved(name) : isThere ? .replaced : name.isDeleted ? .deleted : .unmounted
        } else {
            self = isThere ? .replaced : .deleted
        }
    }

    /// As the kernel knows it.
    private static func name(of descriptor: FileDescriptor) -> FilePath? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/fd/\(descriptor.rawValue)", &buffer, Int(PATH_MAX))
        return count > 0 ? FilePath(platformString: Array(buffer.prefix(count)) + [0]) : nil
    }
}

extension stat {
    fileprivate func isSame(as other: stat) -> Bool { st_dev == other.st_dev && st_ino == other.st_ino }
}

extension FilePath {
    /// Whether the kernel says that of a file: another name of it may be left.
    fileprivate var isDeleted: Bool { string.hasSuffix(" (deleted)") }

    /// Whether it is what network and FUSE file systems make of a file that was deleted while it was open: gone once it is
    /// closed.
    fileprivate var isLeftover: Bool {
        let name = lastComponent?.string ?? ""
        return name.hasPrefix(".nfs") || name.hasPrefix(".fuse_hidden")
    }
}
