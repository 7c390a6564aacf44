import Foundation
import SystemPackage

/// Files of some kilobytes, read and written whole.
enum SmallFile {
    /// - Throws: `Errno`, also for a file over a megabyte: nothing here is that large.
    static func read(_ path: FilePath) throws -> Data {
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        return try file.closeAfter {
            var data = Data()
            var buffer = [UInt8](repeating: 0, count: 16384)
            while case let count = try buffer.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
                data += buffer[..<count]
                if data.count > 1 << 20 { throw Errno.fileTooLarge }
            }
            return data
        }
    }

    static func text(_ path: FilePath) -> String? { (try? read(path)).map { String(decoding: $0, as: UTF8.self) } }

    /// Puts the bytes in the file's place at once: a reader sees the old ones or the new ones.
    ///
    /// A new file needs room on the disk. Where there is none, the bytes are written over the old ones.
    ///
    /// - Parameter isLasting: whether they have to survive a power cut from now on.
    /// - Throws: `Errno`.
    static func replace(_ path: FilePath, with data: Data, isLasting: Bool = false) throws {
        let draft = draft(of: path)
        do {
            try write(data, to: draft, [.create, .truncate], isLasting: isLasting)
            guard rename(draft.string, path.string) == 0 else { throw Errno(rawValue: errno) }
        } catch let error as Errno {
            unlink(draft.string)
            guard error == .noSpace || error == .diskQuotaExceeded else { throw error }
            try write(data, to: path, [], isLasting: isLasting)
        }
    }

    static func draft(of path: FilePath) -> FilePath {
        var draft = path
        draft.extension = "tmp"
        return draft
    }

    private static func write(_ data: Data, to path: FilePath, _ options: FileDescriptor.OpenOptions, isLasting: Bool)
        throws
    {
        let file = try FileDescriptor.open(
            path, .writeOnly, options: options.union([.closeOnExec, .noFollow]), permissions: .ownerReadWrite)
        try file.closeAfter {
            try file.writeAll(toAbsoluteOffset: 0, data)
            try file.resize(to: Int64(data.count))
            if isLasting, fsync(file.rawValue) != 0 { throw Errno(rawValue: errno) }
        }
    }
}
