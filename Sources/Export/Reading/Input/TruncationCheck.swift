import Foundation
import SystemPackage

/// Whether a file ends before it says it does: GStreamer reads what is there of a Matroska or AVI file and says nothing, and
/// of a QuickTime or MP4 file whose index was to come that there is nothing to play.
package enum TruncationCheck {
    /// - Returns: how many bytes the file says it has at least; `nil` where it does not say.
    package static func declaredSize(_ location: String) -> Int64? {
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
            // AVI files above one RIFF, and those whose writer was killed or could not go back, say nothing of use: it states nothing, or the largest
            // number that it knows, with or without a head.
            let isPlaceholder = size == 0 || size >= 0xFFFF_0000 || (0x7FFF_FF00...0x8000_FFFF).contains(size)
            return isPlaceholder ? nil : size + 8
        }
        // Of more than 4 GiB (EBU Tech 3306); nothing, or the largest number, where the writer could not go back.
        if head.starts(with: "RF64".utf8), head.count >= 28, head[12..<16].elementsEqual("ds64".utf8) {
            let size = head[20..<28].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return size == 0 || size > UInt64(Int64.max) - 8 ? nil : Int64(size) + 8
        }
        if head.count >= 8, head[4..<8].elementsEqual("ftyp".utf8) { return boxes(head) }
        guard head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]), let header = number(head, at: 4), let size = header.value
        else { return nil }
        // The segment comes right after the header (RFC 8794): its identifier, then its size.
        guard let place = Int(exactly: size).map({ header.end + $0 }), place < head.count - 12,
            head[place..<place + 4].elementsEqual([0x18, 0x53, 0x80, 0x67]),
            let segment = number(head, at: place + 4), let length = segment.value
        else { return nil }
        return Int64(segment.end) + length
    }

    /// Where the last box ends that begins in the head (ISO/IEC 14496-12, 4.2).
    private static func boxes(_ head: [UInt8]) -> Int64? {
        var place = 0
        while place + 16 <= head.count {
            func size(_ bytes: Range<Int>) -> UInt64 { head[bytes].reduce(0) { $0 << 8 | UInt64($1) } }
            let short = size(place..<place + 4)
            // 0: to the end of the file, however long that is.
            let length = short == 1 ? size(place + 8..<place + 16) : short
            guard length >= 8, let end = Int64(exactly: length).map({ Int64(place).addingReportingOverflow($0) }),
                !end.overflow
            else { return nil }
            if end.partialValue > head.count { return end.partialValue }
            place = Int(end.partialValue)
        }
        return nil
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
