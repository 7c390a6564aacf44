package import Foundation
package import SystemPackage

/// A small file that is read whole and replaced whole: whoever reads it sees the old bytes or the new ones.
package enum AtomicFile {
    /// What a file may have at most to be read: nothing that is kept this way is larger.
    package static let limit = 1 << 20

    /// - Parameter limit: bytes that it may have.
    /// - Throws: `Errno`, `fileTooLarge` for more.
    package static func read(_ path: FilePath, limit: Int = limit) throws -> Data {
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        return try file.closeAfter { try read(file, limit: limit) }
    }

    /// Also of the kernel's own files, whose size is told as zero; `nil` where it cannot be read.
    package static func text(_ path: FilePath) -> String? {
        (try? read(path)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Puts the bytes in the file's place.
    ///
    /// - Parameters:
    ///   - permissions: of the file, as the user's mask leaves them.
    ///   - isLasting: whether they have to survive a power cut from now on.
    ///   - mayOverwrite: whether the bytes are written over the old ones where the disk has no room for a new file. A power
    ///     cut just then can leave some of both.
    package static func replace(
        _ path: FilePath, with data: Data, permissions: FilePermissions = .ownerReadWrite, isLasting: Bool = false,
        mayOverwrite: Bool = false
    ) throws(Errno) {
        guard let name = path.lastComponent else { throw .isDirectory }
        let parent = path.removingLastComponent()
        let folder = try FolderDescriptor(parent.isEmpty ? "." : parent)
        try folder.replaceFile(
            name, with: data, permissions: permissions, isLasting: isLasting, mayOverwrite: mayOverwrite)
    }

    /// Where the new bytes are while they are written: a hidden name that nobody else has, as the folder may be a person's.
    fileprivate static func draft() throws(Errno) -> FilePath.Component {
        guard let name = FilePath.Component(".\(UUID().uuidString)\(draftEnding)") else { throw .invalidArgument }
        return name
    }

    private static let draftEnding = ".partial"

    /// Whether a name is one that new bytes have while they are written; a process that is killed just then leaves it.
    package static func isDraft(_ name: String) -> Bool {
        name.hasPrefix(".") && name.hasSuffix(draftEnding)
            && UUID(uuidString: String(name.dropFirst().dropLast(draftEnding.count))) != nil
    }

    fileprivate static func read(_ file: FileDescriptor, limit: Int) throws -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 16384)
        while case let count = try buffer.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
            data += buffer[..<count]
            if data.count > limit { throw Errno.fileTooLarge }
        }
        return data
    }
}

extension FolderDescriptor {
    /// The bytes of a file in it, which is no link.
    ///
    /// - Throws: `Errno`.
    package func contents(of name: String) throws -> Data {
        let file = try file(name, O_RDONLY)
        return try file.closeAfter { try AtomicFile.read(file, limit: .max) }
    }

    /// The same as ``AtomicFile/replace(_:with:permissions:isLasting:mayOverwrite:)`` of a file in it.
    package func replaceFile(
        _ name: FilePath.Component, with data: Data, permissions: FilePermissions = .ownerReadWrite,
        isLasting: Bool = false, mayOverwrite: Bool = false
    ) throws(Errno) {
        let draft = try AtomicFile.draft()
        do {
            try write(data, to: draft, O_CREAT | O_EXCL, permissions, isLasting: isLasting)
            try rename(draft, to: name)
            if isLasting { synchronize() }
        } catch {
            removeFile(draft)
            guard mayOverwrite, error == .noSpace || error == .diskQuotaExceeded else { throw error }
            try write(data, to: name, 0, permissions, isLasting: isLasting)
        }
    }

    private func write(
        _ data: Data, to name: FilePath.Component, _ flags: Int32, _ permissions: FilePermissions, isLasting: Bool
    ) throws(Errno) {
        let file = try file(name.string, O_WRONLY | flags, permissions: permissions.rawValue)
        do {
            try file.closeAfter {
                try file.writeAll(toAbsoluteOffset: 0, data)
                try file.resize(to: Int64(data.count))
                if isLasting { try file.synchronize() }
            }
        } catch { throw error as? Errno ?? .ioError }
    }
}

extension FileDescriptor {
    /// Returns when everything written so far is on the disk.
    ///
    /// - Throws: why it may not be whole there. A pipe or a file system without this call has nothing to put on a disk.
    package func synchronize() throws(Errno) {
        while fdatasync(rawValue) != 0 {
            if errno == EINVAL || errno == EROFS { return }
            guard errno == EINTR else { throw Errno(rawValue: errno) }
        }
    }
}
