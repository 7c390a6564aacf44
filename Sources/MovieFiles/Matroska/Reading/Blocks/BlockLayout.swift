/// The head of a block, and how its data is divided into frames (RFC 9559 sections 10.1 and 10.3).
struct BlockLayout: Sendable, Equatable {
    var trackNumber: UInt64
    /// Relative to its cluster's, in the segment's ticks.
    var relativeTime: Int16
    /// Of a SimpleBlock: whether decoding can begin with it.
    var isKeyframe: Bool
    /// Where the first frame begins, from the block's beginning.
    var headSize: Int
    /// In bytes; the frames lie one behind the other.
    var frameSizes: [UInt64]

    /// How many bytes a head has at the most: without lacing, with a few frames, and with 256 frames, the size of each in as
    /// many bytes as can be.
    static let headSizes = [8 + 3, 256, 8 + 3 + 1 + 255 * 8 + (64 << 10)]

    /// Reads the head that `bytes` begin with, of a block of `size` bytes; nil where it contradicts itself.
    init?(_ bytes: ArraySlice<UInt8>, size: UInt64) {
        guard let (number, length) = bytes.variableSizeNumber, let number, bytes.count >= length + 3,
            size >= UInt64(length + 3)
        else { return nil }
        var rest = bytes.dropFirst(length)
        trackNumber = number
        relativeTime = Int16(truncatingIfNeeded: UInt16(rest[rest.startIndex]) << 8 | UInt16(rest[rest.startIndex + 1]))
        let flags = rest[rest.startIndex + 2]
        isKeyframe = flags & 0x80 != 0
        rest = rest.dropFirst(3)
        frameSizes = []
        if flags & 0x06 != 0 {
            guard let last = rest.popFirst() else { return nil }
            let sizes: [UInt64]? =
                switch flags & 0x06 {
                case 0x02: Self.xiphSizes(&rest, Int(last))
                case 0x06: Self.differences(&rest, Int(last))
                default: []
                }
            guard let sizes else { return nil }
            frameSizes = sizes
            headSize = bytes.distance(from: bytes.startIndex, to: rest.startIndex)
            guard UInt64(headSize) <= size else { return nil }
            let left = size - UInt64(headSize)
            if flags & 0x06 == 0x04 {
                let count = UInt64(last) + 1
                guard left % count == 0 else { return nil }
                frameSizes = [UInt64](repeating: left / count, count: Int(count))
                return
            }
            var taken: UInt64 = 0
            for size in sizes {
                guard size <= left - taken else { return nil }
                taken += size
            }
            frameSizes.append(left - taken)
        } else {
            headSize = length + 3
            frameSizes = [size - UInt64(headSize)]
        }
    }

    /// Sizes as sums of bytes, of which one below 255 is the last.
    private static func xiphSizes(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> [UInt64]? {
        var sizes: [UInt64] = []
        for _ in 0..<count {
            var size: UInt64 = 0
            while true {
                guard let byte = rest.popFirst() else { return nil }
                size += UInt64(byte)
                if byte < 255 { break }
            }
            sizes.append(size)
        }
        return sizes
    }

    /// A size, and for each of the others by how much it differs from the one before.
    private static func differences(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> [UInt64]? {
        var sizes: [UInt64] = []
        for index in 0..<count {
            guard let (number, length) = rest.variableSizeNumber, let number else { return nil }
            rest = rest.dropFirst(length)
            guard index > 0, let last = sizes.last else {
                sizes.append(number)
                continue
            }
            // As large on either side of 0 as the bytes hold.
            let bias = (Int64(1) << Int64(7 * length - 1)) - 1
            guard let size = UInt64(exactly: Int64(clamping: last) + (Int64(number) - bias)) else { return nil }
            sizes.append(size)
        }
        return sizes
    }
}
