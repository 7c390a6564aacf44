import MediaTypes
package import SystemPackage

/// The frames of raw DV one behind the other (IEC 61834-2), and where the row is broken. GStreamer's demuxer (1.22) cuts it into pieces of a frame's
/// size, whatever they begin with.
package struct DVScan: Sendable {
    /// What is no whole frame, and when it would be shown.
    package private(set) var damage: [LostRange] = []
    /// Whether the last frame lacks its end.
    package private(set) var isCutOff = false
    /// What a demuxer stumbles over, in order; nothing where the file is whole.
    package private(set) var omitted: [Range<UInt64>] = []

    /// Bytes that are looked through for the next frame.
    private static let searched: UInt64 = 4 << 20
    private static let mostDamage = 1000

    /// - Returns: nil for any other file.
    /// - Throws: `notAFile`, `system`.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in try DVScan(file) }
        guard let found else { return nil }
        self = found
    }

    private init?(_ file: ReadableFile) throws(MovieFileError) {
        var (window, position, count) = (FileWindow(file), UInt64(0), 0)
        guard let first = Head(try window.bytes(Head.size, at: 0)), let size = try first.frameSize(&window) else {
            return nil
        }
        while position < file.size {
            let end = position + size
            guard end <= file.size else {
                omitted.append(position..<file.size)
                isCutOff = true
                return
            }
            let isLast = end == file.size
            let following = Head(try window.bytes(Head.size, at: end))
            if isLast || following == first {
                (position, count) = (end, count + 1)
                continue
            }
            guard damage.count < Self.mostDamage,
                let next = try Self.search(first, from: position + 1, &window, file.size)
            else {
                // Another kind of frame, or none any more.
                omitted.append(end..<file.size)
                damage.append(LostRange(offset: end, size: file.size - end, time: (count + 1) * first.frameLength))
                return
            }
            // A frame that is whole is kept before what was put in behind it.
            let lost = (next < end ? position : end)..<next
            if next >= end { count += 1 }
            omitted.append(lost)
            damage.append(
                LostRange(offset: lost.lowerBound, size: next - lost.lowerBound, time: count * first.frameLength))
            position = next
        }
    }

    private static func search(
        _ head: Head, from start: UInt64, _ window: inout FileWindow, _ size: UInt64
    ) throws(MovieFileError) -> UInt64? {
        var place = start
        while place + UInt64(Head.size) < size, place - start < searched {
            let bytes = Array(try window.bytes(4096, at: place))
            var rest = bytes[...]
            while let found = rest.firstRange(of: Head.beginning) {
                if Head(bytes[found.lowerBound...]) == head { return place + UInt64(found.lowerBound) }
                rest = rest[found.upperBound...]
            }
            place += UInt64(max(1, bytes.count - Head.size))
        }
        return nil
    }
}

extension DVScan {
    /// The first block of a frame: the header of its first sequence.
    private struct Head: Equatable {
        static let size = 8
        static let beginning: [UInt8] = [0x1F, 0x07, 0x00]
        /// Of a sequence: 150 blocks of 80 bytes.
        private static let sequence: UInt64 = 12_000

        let isPAL: Bool

        init?(_ bytes: ArraySlice<UInt8>) {
            let bytes = Array(bytes.prefix(Self.size))
            guard bytes.count == Self.size, bytes.starts(with: Self.beginning), bytes[3] & 0x7F == 0x3F else {
                return nil
            }
            isPAL = bytes[3] & 0x80 != 0
        }

        /// In bytes. Of 50 Mbit/s each frame has twice as many sequences (SMPTE ST 314), whose headers are told apart by a bit; such frames are
        /// not read here.
        func frameSize(_ window: inout FileWindow) throws(MovieFileError) -> UInt64? {
            let size = (isPAL ? 12 : 10) * Self.sequence
            let next = Array(try window.bytes(Self.size, at: size))
            return next.isEmpty || next.starts(with: Self.beginning) || next.first != 0x1F ? size : nil
        }

        var frameLength: MediaTime {
            isPAL ? MediaTime(samples: 1, rate: 25) : MediaTime(samples: 1001, rate: 30_000)
        }
    }
}
