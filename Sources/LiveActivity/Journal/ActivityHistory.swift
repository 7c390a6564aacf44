import FileSystem
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

    /// The latest records, at most `limit` and of the last thirty days; of an end that was amended the later one.
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
            let records = lines.suffix(limit).compactMap(Self.record).filter { $0.last.timestamp >= oldest }
            var later: Set<String> = []
            return records.reversed().filter { later.insert($0.id).inserted }.reversed()
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

    /// Those of some identifiers that have ended before, found in one pass.
    ///
    /// - Throws: `Errno`.
    func known(of ids: Set<String>) throws -> Set<String> {
        guard !ids.isEmpty, let file = try open() else { return [] }
        let bytes = try file.closeAfter { try Self.bytes(file, from: 0) }
        let mark = Array("\"id\":\"".utf8)
        var known: Set<String> = []
        // By hand: Foundation's own search takes a second for 4 MB.
        bytes.withUnsafeBytes { bytes in
            var place = 0
            while place + mark.count < bytes.count, let base = bytes.baseAddress {
                guard bytes[place] == mark[0], memcmp(base + place, mark, mark.count) == 0 else {
                    place += 1
                    continue
                }
                place += mark.count
                let id = String(decoding: bytes[place...].prefix { $0 != mark[0] }, as: UTF8.self)
                if ids.contains(id) { known.insert(id) }
            }
        }
        return known
    }

    /// Appends a line for each, all of them or none.
    ///
    /// - Throws: `Errno`, with the file as it was.
    func append(_ records: [ActivityRecord]) throws {
        guard !records.isEmpty else { return }
        try halve()
        let file = try FileDescriptor.open(
            path, .readWrite, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
        try file.closeAfter {
            let end = try file.seek(offset: 0, from: .end)
            var last = [UInt8(ascii: "\n")]
            // A line that a power cut broke off must not swallow the next.
            if end > 0 { _ = try last.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: end - 1, into: $0) } }
            let isBroken = last != [UInt8(ascii: "\n")]
            let lines = records.reduce(into: isBroken ? [UInt8(ascii: "\n")] : []) { $0 += $1.line }
            do {
                try file.writeAll(toAbsoluteOffset: end, lines)
                try file.synchronize()
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
        if let kept { try AtomicFile.replace(path, with: kept, mayOverwrite: true) }
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
