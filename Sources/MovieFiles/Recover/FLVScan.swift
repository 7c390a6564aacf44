import MediaTypes
package import SystemPackage

/// The tags of a Flash video file, found one by one, also behind what is damaged (Adobe Flash Video File Format Specification 10.1, annex E).
package struct FLVScan: Sendable, Hashable {
    /// How long the file's media last.
    package private(set) var length = ToldLength()
    /// What lies between tags and is none, and when that would be played.
    package private(set) var damage: [LostRange] = []
    /// Where the heads of other files lie that were put behind the first.
    package private(set) var heads: [Range<UInt64>] = []

    /// Of its frames; nil of any other codec.
    package private(set) var vp6: VP6Size?

    /// Whether subtitles lie among its data, as ffmpeg and streaming servers write them.
    package private(set) var hasText = false

    /// Whether it has AAC that nothing describes: its description is empty, or missing.
    package var lacksAudioDescription: Bool { hasAAC && !hasAudioDescription }
    private var (hasAAC, hasAudioDescription) = (false, false)

    /// What a demuxer stumbles over, in order.
    package var omitted: [Range<UInt64>] {
        (heads + damage.map { $0.offset..<$0.end }).sorted { $0.lowerBound < $1.lowerBound }
    }

    private var first: MediaTime?
    private var (video, audio): (MediaTime?, MediaTime?)

    /// More places than anybody cuts out of a file; what damages more is not worth it.
    private static let mostDamage = 1000

    /// What data begins with that holds a text: its name, a string (AMF 0, 2.4).
    private static let text = [2, 0, 10] + Array("onTextData".utf8)

    /// Bytes that are looked through for the next tag.
    private static let searched: UInt64 = 16 << 20

    /// - Returns: nil for any other file.
    /// - Throws: `notAFile`, `system`.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in try FLVScan(file) }
        guard let found else { return nil }
        self = found
    }

    private init?(_ file: ReadableFile) throws(MovieFileError) {
        let head = try file.read(upTo: 9, at: 0)
        guard head.count == 9, head.starts(with: "FLV".utf8) else { return nil }
        // Behind the head stands the size of the tag before it, which is none.
        var position = UInt64(Self.number(head[5...], 4)) + 4
        var (window, told): (FileWindow, MediaTime?) = (FileWindow(file), nil)
        while position < file.size {
            let bytes = Array(try window.bytes(24, at: position))
            if bytes.starts(with: "FLV".utf8), bytes.count == 24 {
                let end = position + UInt64(Self.number(bytes[5...], 4)) + 4
                if Tag(try window.bytes(24, at: end), at: end) != nil {
                    heads.append(position..<end)
                    position = end
                    continue
                }
            }
            let tag = Tag(bytes[...], at: position)
            guard let tag, tag.end <= file.size, try isFollowed(tag, &window) else {
                guard damage.count < Self.mostDamage, let next = try search(from: position + 1, &window, file.size)
                else {
                    length.isCutOff = tag.map { $0.end > file.size } ?? (file.size - position < 11)
                    break
                }
                damage.append(
                    LostRange(offset: position, size: next - position, time: max(video ?? .zero, audio ?? .zero)))
                position = next
                continue
            }
            if tag.kind == 18, told == nil { told = try Self.duration(file, tag) }
            take(tag)
            if tag.kind == 18, bytes.dropFirst(11).elementsEqual(Self.text) { hasText = true }
            if vp6 == nil { vp6 = VP6Size(bytes[...]) }
            position = tag.end + 4
        }
        let start = first ?? .zero
        (length.video, length.audio) = (video.map { $0 - start }, audio.map { $0 - start })
        guard length.isCutOff, let told else { return }
        // What it said when it was whole.
        if let video = length.video { length.video = max(video, told) } else { length.audio = told }
    }

    private mutating func take(_ tag: Tag) {
        if tag.isAAC { (hasAAC, hasAudioDescription) = (true, hasAudioDescription || !tag.isMedia && tag.size > 13) }
        guard tag.isMedia else { return }
        first = min(first ?? tag.time, tag.time)
        if tag.kind == 9 { video = max(video ?? tag.time, tag.time) } else { audio = max(audio ?? tag.time, tag.time) }
    }

    /// Whether its size stands behind it, or at least another tag does.
    private func isFollowed(_ tag: Tag, _ window: inout FileWindow) throws(MovieFileError) -> Bool {
        let behind = Array(try window.bytes(28, at: tag.end))
        guard behind.count > 4 else { return true }
        return Self.number(behind[...], 4) == tag.size || Tag(behind[4...], at: tag.end + 4) != nil
    }

    /// The next tag whose size stands behind it; nil where none follows before long.
    private func search(from start: UInt64, _ window: inout FileWindow, _ size: UInt64) throws(MovieFileError)
        -> UInt64?
    {
        var place = start
        while place + 11 < size, place - start < Self.searched {
            if let tag = Tag(try window.bytes(24, at: place), at: place), tag.end + 4 <= size {
                var other = window
                if Self.number(try other.bytes(4, at: tag.end), 4) == tag.size { return place }
            }
            place += 1
        }
        return nil
    }

    /// What the first script says of the length.
    private static func duration(_ file: ReadableFile, _ tag: Tag) throws(MovieFileError) -> MediaTime? {
        let bytes = try file.read(upTo: min(tag.size, 4096), at: tag.end - UInt64(tag.size))
        // Its name, and a number of type 0.
        let name = Array("duration".utf8) + [0]
        guard let place = bytes.indices.dropLast(name.count + 8).first(where: { bytes[$0...].starts(with: name) })
        else {
            return nil
        }
        let number = bytes[(place + name.count)...].prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let seconds = Double(bitPattern: number)
        return (0...1e6).contains(seconds) ? MediaTime(seconds: seconds) : nil
    }

    fileprivate static func number(_ bytes: ArraySlice<UInt8>, _ count: Int) -> Int {
        bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
}

extension FLVScan {
    private struct Tag {
        /// 8 is audio, 9 is video, 18 is data.
        var kind: UInt8
        /// With its head, in bytes.
        var size: Int
        var end: UInt64
        var time: MediaTime
        /// Whether it holds samples, and not what describes them.
        var isMedia: Bool
        var isAAC: Bool

        init?(_ bytes: ArraySlice<UInt8>, at place: UInt64) {
            let bytes = Array(bytes)
            guard bytes.count >= 11, [8, 9, 18].contains(bytes[0] & 0x3F), bytes[0] & 0xC0 == 0,
                bytes[8..<11].allSatisfy({ $0 == 0 })
            else { return nil }
            kind = bytes[0]
            let data = FLVScan.number(bytes[1...], 3)
            size = 11 + data
            end = place + UInt64(size)
            time = (FLVScan.number(bytes[4...], 3) | Int(bytes[7]) << 24) * .millisecond
            let head = bytes.dropFirst(11).prefix(2)
            // Of AVC and AAC the second byte says whether it is a sample.
            let isDescribed = kind == 9 ? head.first.map { $0 & 0x0F == 7 } : head.first.map { $0 >> 4 == 10 }
            isAAC = kind == 8 && head.first.map { $0 >> 4 == 10 } == true
            isMedia = kind != 18 && data > 0 && (isDescribed != true || head.last == 1)
        }
    }
}
