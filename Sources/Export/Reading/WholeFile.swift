import Foundation
import SystemPackage

/// Whether a file ends before it says it does: GStreamer reads what is there of a Matroska or AVI file and says nothing.
enum WholeFile {
    /// - Returns: how many bytes the file says it has; `nil` where it does not say.
    static func declaredSize(_ location: String) -> Int64? {
        guard let file = try? FileDescriptor.open(FilePath(location), .readOnly, options: .closeOnExec) else {
            return nil
        }
        defer { try? file.close() }
        var head = [UInt8](repeating: 0, count: 4096)
        guard let count = try? head.withUnsafeMutableBytes({ try file.read(into: $0) }) else { return nil }
        return declaredSize(Array(head.prefix(count)))
    }

    static func declaredSize(_ head: [UInt8]) -> Int64? {
        if head.starts(with: "RIFF".utf8), head.count >= 8 {
            let size = head[4..<8].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
            // AVI files above one RIFF, and those whose writer was killed, say nothing of use.
            return size == 0 || size >= 0xFFFF_FFFF - 8 ? nil : size + 8
        }
        guard head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]), let header = number(head, at: 4), let size = header.value
        else { return nil }
        // The segment comes right after the header (RFC 8794): its identifier, then its size.
        guard let place = Int(exactly: size).map({ header.end + $0 }), place < head.count - 12,
            head[place..<place + 4].elementsEqual([0x18, 0x53, 0x80, 0x67]),
            let segment = number(head, at: place + 4), let length = segment.value
        else { return nil }
        return Int64(segment.end) + length
    }

    /// A variable-size number (RFC 8794, section 4); its value is `nil` where all bits are set, "unknown".
    private static func number(_ bytes: [UInt8], at place: Int) -> (value: Int64?, end: Int)? {
        guard bytes.indices.contains(place), bytes[place] > 0 else { return nil }
        let length = bytes[place].leadingZeroBitCount + 1
        guard place + length <= bytes.count else { return nil }
        let marked = bytes[place..<place + length].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let mask = (Int64(1) << (7 * length)) - 1
        let value = marked & mask
        return (value == mask ? nil : value, place + length)
    }
}
