import MediaTypes
package import SystemPackage

/// The parts of an MXF file one behind the other (SMPTE ST 377-1, "KLV Coding"), and where the row is broken. GStreamer (1.22) ends there.
///
/// Nothing in it says when a frame is shown but how many came before, so of all tracks as much is left out: what lies between the beginnings of
/// two frames with all that belongs to them. The lists of places (index tables) are true of the whole file alone, and are left out too.
package struct MXFScan: Sendable {
    /// What is no part, with the frames that lie around it, and when they would be shown.
    package private(set) var damage: [LostRange] = []
    /// Another file behind the footer, which a demuxer of files in order takes for more of the same.
    package private(set) var appended: AppendedMovie?
    private var indexes: [Range<UInt64>] = []
    /// Whether the file ends before the last part that its head tells of.
    package private(set) var isCutOff = false

    /// What a demuxer stumbles over, in order; nothing where the file is whole.
    package var omitted: [Range<UInt64>] {
        let broken = damage.isEmpty ? [] : indexes + damage.map { $0.offset..<$0.end }
        let behind = appended.map { [$0.offset..<$0.offset + $0.size] } ?? []
        return broken.sorted { $0.lowerBound < $1.lowerBound } + behind
    }

    /// The key that each frame with all that belongs to it begins with.
    private var beginning: [UInt8]?
    private var (lastBeginning, frameCount): (UInt64?, Int) = (nil, 0)
    private var frameLength = MediaTime.zero

    /// More places than anybody cuts out of a file; what damages more is not worth it.
    private static let mostDamage = 1000
    /// Bytes that are looked through for what follows.
    private static let searched: UInt64 = 64 << 20

    /// - Returns: nil for any other file.
    /// - Throws: `notAFile`, `system`.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in try MXFScan(file) }
        guard let found else { return nil }
        self = found
    }

    private init?(_ file: ReadableFile) throws(MovieFileError) {
        var (window, position) = (FileWindow(file), UInt64(0))
        let head = Array(try window.bytes(64, at: 0))
        guard let first = Part(head[...], at: 0), first.isPartition else { return nil }
        // Behind versions and a size: where this partition lies, the one before it, and the last one of all.
        let footer = head[(Int(first.data) + 24)...].prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        while position < file.size {
            guard let part = Part(try window.bytes(Part.headSize, at: position), at: position),
                try part.isFollowed(&window, file.size)
            else {
                // Where it only ends too early there is nothing behind it.
                let begin = lastBeginning ?? position
                guard let beginning, damage.count < Self.mostDamage,
                    let next = try Self.search(beginning, from: position + 1, &window, file.size)
                else { break }
                damage.append(
                    LostRange(offset: begin, size: next - begin, time: max(0, frameCount - 1) * frameLength))
                (position, lastBeginning) = (next, nil)
                continue
            }
            if part.isHeader, part.begin > 0 {
                appended = AppendedMovie(from: part.begin, to: file.size, lasting: [nil])
                break
            }
            try take(part, file)
            position = part.end
        }
        // A file that lacks bytes in its middle is shorter too.
        isCutOff = footer >= file.size && damage.isEmpty
    }

    private mutating func take(_ part: Part, _ file: ReadableFile) throws(MovieFileError) {
        if part.isIndex { indexes.append(part.begin..<part.end) }
        if part.isTrack, frameLength == .zero {
            let set = try file.read(upTo: Int(clamping: min(part.end - part.data, 4096)), at: part.data)
            frameLength = Self.editUnit(set[...]) ?? .zero
        }
        guard part.isEssence else { return }
        beginning = beginning ?? part.key
        if part.key == beginning { (lastBeginning, frameCount) = (part.begin, frameCount + 1) }
    }

    /// The next frame; nil where none follows before long.
    private static func search(
        _ key: [UInt8], from start: UInt64, _ window: inout FileWindow, _ size: UInt64
    ) throws(MovieFileError) -> UInt64? {
        var place = start
        while place + UInt64(key.count) < size, place - start < searched {
            let bytes = Array(try window.bytes(4096, at: place))
            let found = bytes.firstRange(of: key).map { place + UInt64($0.lowerBound) }
            if let found, let part = Part(try window.bytes(Part.headSize, at: found), at: found),
                try part.isFollowed(&window, size)
            {
                return found
            }
            place = found.map { $0 + 1 } ?? place + UInt64(max(1, bytes.count - key.count))
        }
        return nil
    }

    /// How long one of the units lasts that a track is counted in, which a set of properties says: two bytes for which, two for how long.
    private static func editUnit(_ set: ArraySlice<UInt8>) -> MediaTime? {
        var rest = set
        while rest.count >= 4 {
            let (tag, length) = (Int(number(rest.prefix(2))), Int(number(rest.dropFirst(2).prefix(2))))
            let value = rest.dropFirst(4).prefix(length)
            if tag == 0x4B01, length == 8, value.count == 8 {
                let (numerator, denominator) = (number(value.prefix(4)), number(value.dropFirst(4)))
                return numerator > 0 && denominator > 0
                    ? MediaTime(seconds: Double(denominator) / Double(numerator)).clamped : nil
            }
            rest = rest.dropFirst(4 + length)
        }
        return nil
    }

    fileprivate static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

extension MXFScan {
    /// A key of sixteen bytes, a length, and the data.
    private struct Part {
        static let headSize = 25

        let key: [UInt8]
        let begin: UInt64
        let data: UInt64
        let end: UInt64

        init?(_ bytes: ArraySlice<UInt8>, at place: UInt64) {
            let bytes = Array(bytes.prefix(Self.headSize))
            guard bytes.count > 16, bytes.starts(with: [0x06, 0x0E, 0x2B, 0x34]) else { return nil }
            let count = bytes[16] < 0x80 ? 0 : Int(bytes[16] & 0x7F)
            guard count <= 8, bytes.count >= 17 + count, bytes[16] != 0x80 else { return nil }
            let length = count == 0 ? UInt64(bytes[16]) : MXFScan.number(bytes[17..<17 + count])
            (key, begin, data) = (Array(bytes.prefix(16)), place, place + UInt64(17 + count))
            guard length < 1 << 60 else { return nil }
            end = data + length
        }

        var isPartition: Bool { key[4..<13].elementsEqual([2, 5, 1, 1, 0x0D, 1, 2, 1, 1]) }
        /// Of the partition that a file begins with (SMPTE ST 377-1, table 5).
        var isHeader: Bool { isPartition && key[13] == 2 }
        var isIndex: Bool { key[8..<14].elementsEqual([0x0D, 1, 2, 1, 1, 0x10]) }
        /// Of the properties of a track whose units have a length.
        var isTrack: Bool { key[8..<15].elementsEqual([0x0D, 1, 1, 1, 1, 1, 0x3B]) }
        /// Frames, audio, data, and what begins all that belongs to a frame.
        var isEssence: Bool { key[8..<12].elementsEqual([0x0D, 1, 3, 1]) }

        /// Whether the file ends with it, or another part follows.
        func isFollowed(_ window: inout FileWindow, _ size: UInt64) throws(MovieFileError) -> Bool {
            guard end < size else { return end == size }
            return Part(try window.bytes(Self.headSize, at: end), at: end) != nil || size - end < UInt64(Self.headSize)
        }
    }
}
