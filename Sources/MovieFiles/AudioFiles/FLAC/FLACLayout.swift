package import MediaTypes
package import SystemPackage

/// A FLAC file: what it tells, then its frames, numbered from the file's own beginning.
struct FLACLayout: AudioFileLayout {
    private(set) var sampleRate: Int
    private(set) var sampleCount = 0
    private(set) var audioSize: UInt64 = 0
    private var stream = FLACStreamInfo()
    private var frameCount: UInt64 = 0
    /// Of the packet that is being written: bytes, samples.
    private var packet = (size: 0, samples: 0)

    /// What is left free for places that get a name while it is recorded, in bytes.
    private static let room = 16 << 10

    /// - Parameter sampleRate: where the frames do not say.
    init(sampleRate: Int) { self.sampleRate = sampleRate }

    mutating func bytes(
        for packet: UnsafeRawBufferPointer, lasting _: MediaTime?
    ) throws(MovieFileError) -> [UInt8] {
        // An encoder hands out the stream's head too, which is made here.
        guard packet.count > 1, packet[0] == 0xFF, packet[1] & 0xFC == 0xF8 else { return [] }
        guard let frame = FLACFrame(packet) else { throw .unsupported(reason: "its FLAC is damaged") }
        if frameCount == 0 {
            guard let bits = frame.bits else {
                throw .unsupported(reason: "its FLAC does not say how many bits a sample has")
            }
            sampleRate = frame.sampleRate ?? sampleRate
            (stream.sampleRate, stream.channels, stream.bits) = (sampleRate, frame.channels, bits)
        }
        let bytes = FLACFrame.numbered(
            Array(packet), frame, frame.countsSamples ? UInt64(sampleCount) : frameCount)
        self.packet = (bytes.count, frame.blockSize)
        return bytes
    }

    mutating func add(written: Int) {
        guard written == packet.size, written > 0 else { return }
        audioSize += UInt64(written)
        sampleCount += packet.samples
        frameCount += 1
        stream.add(frame: packet.size, samples: packet.samples)
    }

    func head(_ attributes: AudioFileAttributes, tailSize: Int) -> [UInt8] {
        let (comments, padding) = VorbisComments.fitting(attributes, room: Self.room)
        return Array("fLaC".utf8) + Self.block(0, stream.bytes) + Self.block(4, comments)
            + Self.coverBlocks(attributes.metadata.covers)
            + Self.block(1, [UInt8](repeating: 0, count: padding), isLast: true)
    }

    func tail(_ attributes: AudioFileAttributes) -> [UInt8] { [] }

    /// A metadata block (RFC 9639, section 8.1).
    static func block(_ type: UInt8, _ bytes: [UInt8], isLast: Bool = false) -> [UInt8] {
        let size = bytes.count
        return [
            type | (isLast ? 0x80 : 0), UInt8(truncatingIfNeeded: size >> 16), UInt8(truncatingIfNeeded: size >> 8),
            UInt8(truncatingIfNeeded: size),
        ] + bytes
    }

    /// Blocks of images (RFC 9639, section 8.8), the front cover first; one of 16 MiB has no place.
    static func coverBlocks(_ covers: [CoverArt]) -> [UInt8] {
        covers.enumerated().flatMap { index, cover in
            let bytes = VorbisComments.image(cover, isFront: index == 0)
            return bytes.count < 1 << 24 ? block(6, bytes) : []
        }
    }
}

extension FLACStreamInfo {
    /// What the head of a FLAC file tells, or its last frame. GStreamer's parser (1.22) does not, where blocks are of several lengths. Blocks.
    ///
    /// - Returns: nil for any other file, and where neither says.
    package static func duration(of path: FilePath) -> MediaTime? {
        let found = try? ReadableFile.open(path) { (file) throws(MovieFileError) -> MediaTime? in
            let head = try file.read(upTo: place + size, at: 0)
            guard head.starts(with: "fLaC".utf8), head.count == place + size, head[4] & 0x7F == 0 else { return nil }
            if let told = duration(head) { return told }
            return try FLACEnd.count(file, head).map { MediaTime(samples: Int(clamping: $0.samples), rate: $0.rate) }
        }
        return found ?? nil
    }

    /// Samples a second, as the head tells.
    static func rate(_ head: [UInt8]) -> Int { Int(head[18]) << 12 | Int(head[19]) << 4 | Int(head[20] >> 4) }

    /// - Parameter head: the beginning of a file, up to its end; nil where it does not say.
    static func duration(_ head: [UInt8]) -> MediaTime? {
        let format = head[18..<26].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let (rate, count) = (rate(head), Int(format & 0xF_FFFF_FFFF))
        return rate > 0 && count > 0 ? MediaTime(samples: count, rate: rate) : nil
    }
}

/// STREAMINFO (RFC 9639, section 8.2). Its checksum of the samples, which only who has them can make, is left open.
package struct FLACStreamInfo {
    var sampleRate = 0
    var channels = 1
    var bits = 16
    private(set) var sampleCount: UInt64 = 0
    /// In samples, and in bytes. The last block may be shorter than all others.
    private var blocks = (smallest: UInt16.max, largest: UInt16.min)
    private var frames = (smallest: Int.max, largest: 0)
    private var last = 0

    /// Where it stands in the file, and its size.
    static let place = 8
    static let size = 34
    /// Metadata blocks before the frames at most: each may be empty, and a file have millions of them.
    private static let mostBlocks = 1000

    /// Where the frames of a file begin; nil where nothing or too much comes before them.
    static func framesPlace(_ file: ReadableFile) throws(MovieFileError) -> UInt64? {
        var place: UInt64 = 4
        for _ in 0..<mostBlocks {
            let block = try file.read(upTo: 4, at: place)
            guard block.count == 4 else { return nil }
            place += 4 + block.dropFirst().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            if block[0] & 0x80 != 0 { return place }
        }
        return nil
    }

    mutating func add(frame size: Int, samples: Int) {
        if last > 0 { blocks.smallest = min(blocks.smallest, UInt16(clamping: last)) }
        last = samples
        blocks.largest = max(blocks.largest, UInt16(clamping: samples))
        frames = (min(frames.smallest, size), max(frames.largest, size))
        sampleCount += UInt64(samples)
    }

    /// Counts samples of which the file has no frame.
    mutating func skip(samples: UInt64) { sampleCount += samples }

    /// Samples in each block but the last, as far as it is known.
    var usualBlock: Int? { blocks.largest > 0 ? Int(blocks.largest) : nil }

    /// One more than 36 bits hold.
    static let maximumCount: UInt64 = 1 << 36

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.append(min(blocks.smallest, max(16, blocks.largest)))
        writer.append(max(16, blocks.largest))
        let sizes = frames.largest == 0 ? [0, 0] : [frames.smallest, frames.largest]
        for size in sizes {
            writer.append(UInt8(truncatingIfNeeded: size >> 16))
            writer.append(UInt16(truncatingIfNeeded: size))
        }
        let rate = UInt64(clamping: sampleRate) & 0xF_FFFF
        let format = rate << 44 | UInt64(max(1, channels) - 1) << 41 | UInt64(max(1, bits) - 1) << 36
        writer.append(format | min(sampleCount, 0xF_FFFF_FFFF))
        writer.append(UInt64(0))
        writer.append(UInt64(0))
        return writer.bytes
    }
}
