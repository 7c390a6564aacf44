import Foundation

/// Looks for the next fragment behind damage, or for the beginning of another movie, where no box says how long it is.
enum FragmentSearch {
    /// Bytes that are read at once.
    private static let piece = 1 << 20
    /// Of a box before its first child's payload: size and type, and those of the child.
    private static let headSize = 16
    private static let largest: UInt64 = 512 << 20

    /// - Returns: where the first `moof`, `moov` or `ftyp` begins, from `begin` on, of which the file holds all; nil where there is none.
    static func next(from begin: UInt64, in file: ReadableFile) throws(MovieFileError) -> UInt64? {
        var place = begin
        while place < file.size {
            let bytes = try file.read(upTo: piece + headSize, at: place)
            var first: Int?
            for word in ["moof", "moov", "ftyp"] as [StaticString] {
                var start = 4
                while let found = index(of: word, in: bytes, from: start), found - 4 < first ?? .max {
                    let offset = place + UInt64(found - 4)
                    if try isBox(bytes[(found - 4)...], at: offset, in: file) { first = found - 4 }
                    start = found + 1
                }
            }
            if let first { return place + UInt64(first) }
            guard bytes.count > piece else { return nil }
            place += UInt64(piece)
        }
        return nil
    }

    /// A fragment begins with its number, whose box has one size (ISO/IEC 14496-12 section 8.8.5), an index with its header; behind the type of a
    /// file comes what may follow it.
    private static func isBox(
        _ head: ArraySlice<UInt8>, at offset: UInt64, in file: ReadableFile
    ) throws(MovieFileError) -> Bool {
        let bytes = Array(head.prefix(headSize))
        guard bytes.count == headSize, let size = UInt32(bigEndianBytes: bytes[..<4]), size >= headSize,
            UInt64(size) <= min(file.size - offset, largest), let child = UInt32(bigEndianBytes: bytes[8..<12])
        else { return false }
        let name = bytes[12...]
        switch bytes[5] {
        case UInt8(ascii: "o"):
            return bytes[7] == UInt8(ascii: "f")
                ? child == 16 && name.elementsEqual("mfhd".utf8)
                : [0x6C, 0x78].contains(child) && name.elementsEqual("mvhd".utf8)
        default:
            let next = try file.read(upTo: 8, at: offset + UInt64(size)).dropFirst(4)
            return size <= 512
                && ["moov", "free", "skip", "wide", "mdat", "uuid"].contains { next.elementsEqual($0.utf8) }
        }
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
}
