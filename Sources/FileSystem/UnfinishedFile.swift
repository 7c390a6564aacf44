import Foundation
package import SystemPackage

/// A file that gets its name when it is complete.
///
/// Until then it has none (`O_TMPFILE`), so that nothing is left of it however the process ends. File systems that know no
/// such files get a hidden one in the folder, which ``removeAll()`` takes away where the process is about to end.
package final class UnfinishedFile: Sendable {
    private let descriptor: FileDescriptor
    /// The name that it has where it needs one before its own: short, so that every name that a file system takes will do.
    private let hidden: FilePath
    private let isNamed: Bool

    /// - Parameter folder: of the name that it will get.
    /// - Throws: why the folder takes no file.
    package convenience init(in folder: FilePath) throws(Errno) { try self.init(in: folder, canBeUnnamed: true) }

    /// - Parameter canBeUnnamed: false for what other file systems get.
    init(in folder: FilePath, canBeUnnamed: Bool) throws(Errno) {
        let folder = folder.isEmpty ? "." : folder
        hidden = folder.appending(".\(UUID().uuidString).partial")
        if canBeUnnamed, let unnamed = Self.openUnnamed(in: folder) {
            (descriptor, isNamed) = (unnamed, false)
        } else {
            (descriptor, isNamed) = (try TemporaryNameRegistry.shared.create(hidden), true)
        }
    }

    deinit {
        if isNamed { TemporaryNameRegistry.shared.remove(hidden) }
        try? descriptor.close()
    }

    /// Leads to the file as long as this object lives, whatever its name.
    package var path: FilePath { FilePath("\(Self.descriptors)/\(descriptor.rawValue)") }

    /// Lends its descriptor, which stays open.
    package func withDescriptor<Result, Failure: Error>(
        _ body: (FileDescriptor) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(descriptor)
    }

    /// Opens it once more, empty, for who closes what they write to.
    ///
    /// - Throws: why the system refuses.
    package func openEmpty() throws(Errno) -> FileDescriptor {
        let opened = path.withPlatformString { open($0, O_RDWR | O_TRUNC | O_CLOEXEC) }
        guard opened >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: opened)
    }

    /// Throws away what is in it.
    package func empty() { _ = ftruncate(descriptor.rawValue, 0) }

    /// Gives it its name, in one step; whoever wants it on the disk synchronises it before, and the folder afterwards.
    ///
    /// - Parameter replacing: whether a file that has the name already goes for it.
    /// - Throws: `fileExists` where the name is taken and may not be replaced; why the disk refuses.
    package func commit(to path: FilePath, replacing: Bool) throws(Errno) {
        if !isNamed, !replacing {
            try link(to: path)
            releaseWriteAccess()
        } else {
            // Only a name can take another one's place.
            if !isNamed { try TemporaryNameRegistry.shared.add(hidden) { () throws(Errno) in try link(to: hidden) } }
            guard isOwn(hidden) else { throw .noSuchFileOrDirectory }
            // Before others can see it: who is about to replace the name in turn would take it for one that is being written.
            releaseWriteAccess()
            try TemporaryNameRegistry.shared.move(hidden, to: path, replacing: replacing)
        }
    }

    /// Whether a name leads to this file, and not to one that somebody has put there meanwhile.
    private func isOwn(_ name: FilePath) -> Bool {
        var (own, other) = (stat(), stat())
        return fstat(descriptor.rawValue, &own) == 0 && name.withPlatformString { lstat($0, &other) } == 0
            && own.st_ino == other.st_ino && own.st_dev == other.st_dev
    }

    /// Whoever looks at a complete file is to see that nobody writes it. The number stays taken, as ``path`` names it.
    private func releaseWriteAccess() {
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard nothing >= 0 else { return }
        _ = dup2(nothing, descriptor.rawValue)
        _ = fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC)
        close(nothing)
    }

    /// Takes away what has a name and is not complete. From then on there is nothing new: for a process that is about to end.
    ///
    /// Waits for a disk no longer than two seconds.
    package static func removeAll() { TemporaryNameRegistry.shared.close() }

    private func link(to path: FilePath) throws(Errno) {
        let result = self.path.withPlatformString { source in
            path.withPlatformString { linkat(AT_FDCWD, source, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }

    private static func openUnnamed(in folder: FilePath) -> FileDescriptor? {
        guard access(descriptors, X_OK) == 0 else { return nil }
        let unnamed = folder.withPlatformString { open($0, unnamedFileFlag | O_RDWR | O_CLOEXEC, 0o644) }
        return unnamed >= 0 ? FileDescriptor(rawValue: unnamed) : nil
    }

    /// Through which an unnamed file gets its name; not there where `/proc` is not mounted.
    private static let descriptors = "/proc/self/fd"
}

/// `O_TMPFILE`, a macro that Swift does not import: its own bit together with `O_DIRECTORY`.
let unnamedFileFlag: CInt = 0o20_000_000 | O_DIRECTORY

/// The same file, not the same bytes.
extension UnfinishedFile: Hashable {
    package static func == (one: UnfinishedFile, other: UnfinishedFile) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
