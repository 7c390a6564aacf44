import Foundation
import SystemPackage

/// What has ended: a file to which each end is appended as a line, oldest first.
///
/// It is read from its tail, so a listing costs the same after ten thousand activities as after a hundred. Who writes
/// holds the journal's lock.
struct ActivityHistory: Sendable {
    let path: FilePath
    /// A history that has grown to this many bytes loses its older half.
    var capacity: Int64 = 16 << 20
    /// Seconds after which an ended activity is forgotten.
    static let lifetime = 30 * 86400.0

    /// The latest records, at most `limit` and of the last thirty days.
    ///
    /// - Throws: `Errno`; a history that does not exist is empty.
    func tail(_ limit: Int, now: Date = Date()) throws -> [ActivityRecord] {
        guard let file = try open() else { return [] }
        return try file.closeAfter {
            let size = try file.seek(offset: 0, from: .end)
            var length: Int64 = 64 << 10
            var lines = try Self.lines(file, from: max(0, size - length))
            while lines.count < limit, length < size {
                length *= 4
                lines = try Self.lines(file, from: max(0, size - length))
            }
            let oldest = now.addingTimeInterval(-Self.lifetime)
            return lines.suffix(limit).compactMap(Self.record).filter { $0.last.timestamp >= oldest }
        }
    }

    /// The records that were appended after `offset`, and where the file ends now.
    func records(after offset: Int64) throws -> (records: [ActivityRecord], end: Int64) {
        guard let file = try open() else { return ([], 0) }
        return try file.closeAfter {
            let bytes = try Self.bytes(file, from: offset)
            // What another process is just writing has no line break yet.
            let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { bytes[...$0] } ?? Data()
            let lines = whole.split(separator: UInt8(ascii: "\n"))
            return (lines.compactMap(Self.record), offset + Int64(whole.count))
        }
    }

    /// - Throws: `Errno`.
    func contains(_ id: String) throws -> Bool {
        guard let file = try open() else { return false }
        let mark = Array("\"id\":\"\(id)\"".utf8)
        let bytes = try file.closeAfter { try Self.bytes(file, from: 0) }
        // Foundation's own search takes a second for 4 MB.
        return bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, bytes.count >= mark.count else { return false }
            return (0...bytes.count - mark.count).contains { memcmp(base + $0, mark, mark.count) == 0 }
        }
    }

    /// Appends one line, whole or not at all.
    ///
    /// - Throws: `Errno`, with the file as it was.
    func append(_ record: ActivityRecord) throws {
        try halve()
        let file = try FileDescriptor.open(
            path, .readWrite, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
        try file.closeAfter {
            let end = try file.seek(offset: 0, from: .end)
            var last = [UInt8(ascii: "\n")]
            // A line that a power cut broke off must not swallow this one.
            if end > 0 { _ = try last.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: end - 1, into: $0) } }
            let isBroken = last != [UInt8(ascii: "\n")]
            do {
                try file.writeAll(toAbsoluteOffset: end, (isBroken ? [UInt8(ascii: "\n")] : []) + record.line)
                guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
            } catch {
                try? file.resize(to: end)
                throw error
            }
        }
    }

    private func halve() throws {
        guard let file = try open() else { return }
        let kept: Data? = try file.closeAfter {
            let size = try file.seek(offset: 0, from: .end)
            guard size > capacity else { return nil }
            let bytes = try Self.bytes(file, from: size - capacity / 2)
            return bytes.firstIndex(of: UInt8(ascii: "\n")).map { Data(bytes[($0 + 1)...]) } ?? Data()
        }
        if let kept { try SmallFile.replace(path, with: kept) }
    }

    private func open() throws -> FileDescriptor? {
        do { return try FileDescriptor.open(path, .readOnly, options: .closeOnExec) } catch Errno.noSuchFileOrDirectory
        {
            return nil
        }
    }

    private static func bytes(_ file: FileDescriptor, from offset: Int64) throws -> Data {
        let size = try file.seek(offset: 0, from: .end)
        guard size > offset else { return Data() }
        var data = Data(count: Int(size - offset))
        let count = try data.withUnsafeMutableBytes { buffer in
            var done = 0
            while done < buffer.count {
                let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                let count = try file.read(fromAbsoluteOffset: offset + Int64(done), into: part)
                if count == 0 { break }
                done += count
            }
            return done
        }
        return data.prefix(count)
    }

    /// Whole lines; the first one after an offset is likely the end of one.
    private static func lines(_ file: FileDescriptor, from offset: Int64) throws -> [Data] {
        let lines = try bytes(file, from: offset).split(separator: UInt8(ascii: "\n"))
        return offset == 0 ? lines : Array(lines.dropFirst())
    }

    private static func record(_ line: Data) -> ActivityRecord? {
        try? JSONDecoder().decode(ActivityRecord.self, from: line)
    }
}
