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
    /// What lies before and among the frames that other programs put there: ID3 and APE.
    package private(set) var tags: [Range<UInt64>] = []

    /// Of all frames.
    package var duration: MediaTime {
        sections.last.map { $0.start + MediaTime(samples: $0.samples, rate: $0.rate) } ?? .zero
    }

    /// Bytes that are looked through for the first frame.
    private static let searched: UInt64 = 1 << 16
    /// Frames of one kind that follow each other before they are believed where something else was.
    private static let believed = 4

    /// - Returns: nil for any other file.
    /// - Throws: `notAFile`, `system`.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in try MPEGAudioScan(file) }
        guard let found else { return nil }
        self = found
    }

    private init?(_ file: ReadableFile) throws(MovieFileError) {
        var window = FileWindow(file)
        let head = try window.bytes(4, at: 0)
        guard head.starts(with: "ID3".utf8) || MPEGAudioFrame(head) != nil else { return nil }
        var (position, waiting): (UInt64, [Range<UInt64>]) = (0, [])
        var (kind, searched): (MPEGAudioFrame?, UInt64) = (nil, 0)
        while position < file.size {
            if let size = try Self.tag(&window, position) {
                waiting.append(position..<min(file.size, position + size))
                position += size
                continue
            }
            let frame = MPEGAudioFrame(try window.bytes(4, at: position))
            let isAlike = kind.map { frame?.isAlike($0) == true } ?? false
            guard let frame, try Self.follow(frame, &window, position, isAlike ? 1 : Self.believed, file.size) else {
                position += 1
                searched += 1
                if kind == nil, searched > Self.searched { return nil }
                continue
            }
            tags += waiting
            waiting = []
            if !isAlike {
                sections.append(Section(rate: frame.rate, channels: frame.channels, start: duration))
                kind = frame
            }
            // The first one of a file says how many follow, and is silent.
            let tells = Self.isTold(try window.bytes(48, at: position))
            if isAlike || !tells {
                sections[sections.count - 1].samples += frame.samples
            }
            position += UInt64(frame.size)
        }
        guard kind != nil else { return nil }
    }

    /// Whether a frame is whole, with so many of its kind behind it, or what ends a file.
    private static func follow(
        _ frame: MPEGAudioFrame, _ window: inout FileWindow, _ place: UInt64, _ count: Int, _ size: UInt64
    ) throws(MovieFileError) -> Bool {
        var (end, last) = (place + UInt64(frame.size), frame)
        for _ in 0..<count {
            guard end < size else { return end == size }
            if try tag(&window, end) != nil { return true }
            guard let next = MPEGAudioFrame(try window.bytes(4, at: end)), count == 1 || next.isAlike(last) else {
                return false
            }
            (end, last) = (end + UInt64(next.size), next)
        }
        return true
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

/// The head of a frame of MPEG audio (ISO/IEC 11172-3, 2.4.1.3, and 13818-3).
struct MPEGAudioFrame: Sendable, Equatable {
    var version: Int
    var layer: Int
    /// In hertz.
    var rate: Int
    var channels: Int
    /// Of each channel.
    var samples: Int
    /// In bytes, with its head.
    var size: Int

    /// In kilobits a second: version 1 by its layers, then the others by theirs.
    private static let bitRates = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// nil for anything else, and for frames that do not say how long they are.
    init?(_ bytes: ArraySlice<UInt8>) {
        var bits = BitReader(bytes.prefix(4))
        guard bytes.count >= 4, bits.read(11) == 0x7FF, let version = bits.read(2), version != 1,
            let code = bits.read(2), code != 0, bits.skip(1), let bitRate = bits.read(4), (1...14).contains(bitRate),
            let rate = bits.read(2), rate < 3, let padding = bits.read(1), bits.skip(1), let mode = bits.read(2)
        else { return nil }
        let isFirst = version == 3
        (self.version, layer) = (version, 4 - code)
        // Version 2 has half the rates, 2.5 a quarter.
        self.rate = [44_100, 48_000, 32_000][rate] / (isFirst ? 1 : version == 2 ? 2 : 4)
        channels = mode == 3 ? 1 : 2
        let bitsPerSecond = Self.bitRates[(isFirst ? 0 : 3) + layer - 1][bitRate - 1] * 1000
        samples = layer == 1 ? 384 : layer == 2 || isFirst ? 1152 : 576
        size =
            layer == 1
            ? (12 * bitsPerSecond / self.rate + padding) * 4 : samples / 8 * bitsPerSecond / self.rate + padding
    }

    /// Whether both may belong to one stream.
    func isAlike(_ other: Self) -> Bool {
        version == other.version && layer == other.layer && rate == other.rate && channels == other.channels
    }
}
