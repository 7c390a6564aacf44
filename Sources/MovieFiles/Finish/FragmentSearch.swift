import Foundation

/// Looks for the next fragment behind damage, where no box says how long it is.
enum FragmentSearch {
    /// Bytes that are read at once.
    private static let piece = 1 << 20
    /// Of a `moof` before its first child's payload: size, type, and those of the `mfhd` (ISO/IEC 14496-12 section 8.8.5).
    private static let headSize = 16
    private static let largest: UInt64 = 512 << 20

    /// - Returns: where the first `moof` begins, from `begin` on, of which the file holds all; nil where there is none.
    static func next(from begin: UInt64, in file: ReadableFile) throws(MovieFileError) -> UInt64? {
        var place = begin
        while place < file.size {
            let bytes = try file.read(upTo: piece + headSize, at: place)
            var start = 4
            while let found = index(of: "moof", in: bytes, from: start) {
                let offset = place + UInt64(found - 4)
                if isFragment(bytes[(found - 4)...], left: file.size - offset) { return offset }
                start = found + 1
            }
            guard bytes.count > piece else { return nil }
            place += UInt64(piece)
        }
        return nil
    }

    private static func index(of word: StaticString, in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { (buffer) -> Int? in
            guard let base = buffer.baseAddress else { return nil }
            let (first, count) = (word.utf8Start, word.utf8CodeUnitCount)
            var index = start
            while index + count <= buffer.count {
                guard let found = memchr(base + index, Int32(first.pointee), buffer.count - count + 1 - index) else {
                    return nil
                }
                index = UnsafeRawPointer(found) - base
                if memcmp(found, first, count) == 0 { return index }
                index += 1
            }
            return nil
        }
    }

    /// Every fragment begins with its number, whose box has one size.
    private static func isFragment(_ head: ArraySlice<UInt8>, left: UInt64) -> Bool {
        let bytes = Array(head.prefix(headSize))
        guard bytes.count == headSize, let size = UInt32(bigEndianBytes: bytes[..<4]), size > headSize,
            UInt64(size) <= min(left, largest)
        else { return false }
        return UInt32(bigEndianBytes: bytes[8..<12]) == 16 && bytes[12...].elementsEqual("mfhd".utf8)
    }
}
