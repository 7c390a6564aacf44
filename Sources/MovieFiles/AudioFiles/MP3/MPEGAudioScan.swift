package import MediaTypes
package import SystemPackage

/// The frames of MPEG audio without a container (MP3 and its elders), found one by one: files that were put behind each other have tags in
/// the middle, and audio of different kinds.
package struct MPEGAudioScan: Sendable, Hashable {
    /// Frames of one kind that follow each other.
    package struct Section: Sendable, Hashable {
        /// In hertz.
        package var rate: Int
        package var channels: Int
        /// Of each channel.
        package var samples = 0
        /// When it begins.
        package var start: MediaTime
    }

    /// In the file's order; never empty.
    package private(set) var sections: [Section] = []
    /// Whether its first frames are MP3.
    package private(set) var isLayer3 = false
    /// What lies before and among the frames that other programs put there: ID3 and APE.
    package private(set) var tags: [Range<UInt64>] = []

    /// What lies before the first frame that is neither that nor a tag, such as the rest of one that was cut through; nil where there is
    /// nothing but zeros.
    package private(set) var leading: Range<UInt64>?
    /// What lies among the frames and is neither, but for zeros.
    package private(set) var damage: [LostRange] = []
    /// How many bytes the last frame lacks, where the file is cut off in it.
    package private(set) var missing: Int?

    /// Of all frames.
    package var duration: MediaTime {
        sections.last.map { $0.start + MediaTime(samples: $0.samples, rate: $0.rate) } ?? .zero
    }

    /// Bytes that are looked through for the first frame.
    private static let searched: UInt64 = 1 << 16
    /// Bytes that are looked through for the next frame where some came: what follows more of them is no audio of this file.
    private static let searchedBehind: UInt64 = 16 << 20
    /// Frames of one kind that follow each other before they are believed where something else was.
    private static let believed = 4

    private static let endings: Set<String> = ["mp1", "mp2", "mp3", "mpa", "mpga", "m1a", "m2a"]

    /// - Parameter name: the file's; one that is called so is searched whatever it begins with.
    /// - Returns: nil for any other file.
    /// - Throws: `notAFile`, `system`.
    package init?(reading path: FilePath, named name: FilePath) throws(MovieFileError) {
        let isCalledSo = name.extension.map { Self.endings.contains($0.lowercased()) } ?? false
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in
            try MPEGAudioScan(file, isCalledSo: isCalledSo)
        }
        guard let found else { return nil }
        self = found
    }

    private init?(_ file: ReadableFile, isCalledSo: Bool) throws(MovieFileError) {
        var window = FileWindow(file)
        let head = try window.bytes(4, at: 0)
        // Some encoders leave zeros in front.
        guard
            isCalledSo || head.starts(with: "ID3".utf8) || MPEGAudioHeader(head) != nil || head.allSatisfy({ $0 == 0 })
        else { return nil }
        var (position, waiting): (UInt64, [Range<UInt64>]) = (0, [])
        var (kind, passed): (MPEGAudioHeader?, UInt64) = (nil, 0)
        while position < file.size {
            if let size = try Self.tag(&window, position) {
                if kind == nil {
                    if leading == nil { leading = try Self.unknown(&window, position - passed..<position) }
                    passed = 0
                }
                waiting.append(position..<min(file.size, position + size))
                position += size
                continue
            }
            let frame = try Self.frame(&window, position)
            let isAlike = kind.map { frame?.header.isAlike($0) == true } ?? false
            if let frame, isAlike, passed == 0, position + frame.size > file.size {
                missing = Int(position + frame.size - file.size)
                break
            }
            guard let frame, try Self.follow(frame, &window, position, isAlike ? 1 : Self.believed, file.size) else {
                position += 1
                passed += 1
                if passed > (kind == nil ? Self.searched : Self.searchedBehind) { break }
                continue
            }
            if kind == nil, leading == nil { leading = try Self.unknown(&window, position - passed..<position) }
            if kind != nil, waiting.isEmpty, let range = try Self.unknown(&window, position - passed..<position) {
                damage.append(LostRange(offset: range.lowerBound, size: UInt64(range.count), time: duration))
            }
            tags += waiting
            (waiting, passed) = ([], 0)
            if !isAlike {
                let header = frame.header
                if sections.isEmpty { isLayer3 = header.isLayer3 }
                sections.append(Section(rate: header.sampleRate, channels: header.channels, start: duration))
                kind = header
            }
            // The first one of a file says how many follow, and is silent.
            let tells = Self.isTold(try window.bytes(48, at: position))
            if isAlike || !tells {
                sections[sections.count - 1].samples += Int(frame.header.samplesPerFrame)
            }
            position += frame.size
        }
        guard kind != nil else { return nil }
    }

    private typealias Frame = (header: MPEGAudioHeader, size: UInt64)

    /// The frame that begins there; nil where none does, or one that does not say how long it is.
    private static func frame(_ window: inout FileWindow, _ place: UInt64) throws(MovieFileError) -> Frame? {
        guard let header = MPEGAudioHeader(try window.bytes(4, at: place)), let size = header.size else { return nil }
        return (header, UInt64(size))
    }

    /// Whether a frame is whole, with so many of its kind behind it, or what ends a file.
    private static func follow(
        _ frame: Frame, _ window: inout FileWindow, _ place: UInt64, _ count: Int, _ size: UInt64
    ) throws(MovieFileError) -> Bool {
        var (end, last) = (place + frame.size, frame)
        for _ in 0..<count {
            guard end < size else { return end == size }
            if try tag(&window, end) != nil { return true }
            guard let next = try Self.frame(&window, end), count == 1 || next.header.isAlike(last.header) else {
                return false
            }
            (end, last) = (end + next.size, next)
        }
        return true
    }

    /// A piece of it; nil where that is empty, or holds nothing but zeros.
    private static func unknown(
        _ window: inout FileWindow, _ range: Range<UInt64>
    ) throws(MovieFileError) -> Range<UInt64>? {
        guard !range.isEmpty else { return nil }
        return try window.bytes(range.count, at: range.lowerBound).contains { $0 != 0 } ? range : nil
    }

    private static func isTold(_ head: ArraySlice<UInt8>) -> Bool {
        // Behind the header and what a frame of one or two channels says of itself.
        ["Xing", "Info", "VBRI"].contains { name in
            [13, 21, 36].contains { head.dropFirst($0).starts(with: name.utf8) }
        }
    }

    /// How many bytes a tag has that begins there; nil where none does.
    private static func tag(_ window: inout FileWindow, _ place: UInt64) throws(MovieFileError) -> UInt64? {
        let head = try window.bytes(32, at: place)
        if head.starts(with: "TAG".utf8) { return 128 }
        if head.starts(with: "ID3".utf8), head.count >= 10 {
            let number = head.dropFirst(6).prefix(4)
            guard number.allSatisfy({ $0 < 0x80 }) else { return nil }
            let footer: UInt64 = head[head.startIndex + 5] & 0x10 != 0 ? 10 : 0
            return number.reduce(0) { $0 << 7 | UInt64($1) } + 10 + footer
        }
        guard head.starts(with: "APETAGEX".utf8), head.count == 32 else { return nil }
        let size = head.dropFirst(12).prefix(4).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // Whether it is the tag's head; its foot has its items before it.
        return head[head.startIndex + 23] & 0x20 != 0 ? 32 + size : 32
    }
}
