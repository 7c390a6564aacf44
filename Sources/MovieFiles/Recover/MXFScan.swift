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
        guard let first = MXFPart(head[...], at: 0), first.isPartition else { return nil }
        // Behind versions and a size: where this partition lies, the one before it, and the last one of all.
        let footer = head[(Int(first.data) + 24)...].prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        while position < file.size {
            guard let part = MXFPart(try window.bytes(MXFPart.headSize, at: position), at: position),
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

    private mutating func take(_ part: MXFPart, _ file: ReadableFile) throws(MovieFileError) {
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
            if let found, let part = MXFPart(try window.bytes(MXFPart.headSize, at: found), at: found),
                try part.isFollowed(&window, size)
            {
                return found
            }
            place = found.map { $0 + 1 } ?? place + UInt64(max(1, bytes.count - key.count))
        }
        return nil
    }

    /// How long one of the units lasts that a track is counted in, which a set of properties says.
    private static func editUnit(_ set: ArraySlice<UInt8>) -> MediaTime? {
        guard let value = MXFPart.properties(set)[0x4B01], value.count == 8 else { return nil }
        let (numerator, denominator) = (MXFPart.number(value.prefix(4)), MXFPart.number(value.suffix(4)))
        guard numerator > 0, denominator > 0 else { return nil }
        return MediaTime(seconds: Double(denominator) / Double(numerator)).clamped
    }
}
