import MediaTypes

/// An Ogg file with one stream of Opus (RFC 7845) or Vorbis: what the stream is, what it tells, then its packets in pages of half a second.
///
/// The page that is not full is kept back: the last one says that it is, and where in its last packet the audio ends.
struct OggLayout: AudioFileLayout {
    /// As positions are counted: 48000 of Opus, whatever was encoded.
    let sampleRate: Int
    private(set) var audioSize: UInt64 = 0
    private let headers: [[UInt8]]
    private let isOpus: Bool
    /// Samples before the first that is presented.
    private let preSkip: Int
    private var lengths: OggPacketLengths
    private var stream = OggStream()
    /// Packets of the page that is not full, and their parts in its table.
    private var packets: [[UInt8]] = []
    private var partCount = 0
    /// Samples up to the end of those, and up to where their page begins.
    private var (position, pageStart) = (0, 0)
    /// Samples of the last packet that are not presented.
    private var omitted = 0
    /// Of the page that is being written.
    private var pageSize = 0
    /// Samples up to the end of the last page that is in the file.
    private var writtenEnd = 0

    /// What is left free for places that get a name while it is recorded, in bytes.
    private static let room = 4 << 10

    /// - Parameters:
    ///   - headers: the packets that the stream begins with; none for what opusenc encodes.
    ///   - format: of what is encoded.
    ///   - attributes: those that the file is to have.
    /// - Throws: `unsupported` for anything but Opus and Vorbis.
    init(
        headers: [[UInt8]], format: PCMFormat, attributes: AudioFileAttributes
    ) throws(MovieFileError) {
        let own = OpusHead(channels: format.channels, sampleRate: format.sampleRate).bytes
        let headers = headers.isEmpty ? [own] : headers
        guard let first = headers.first, var lengths = OggPacketLengths(first) else {
            throw .unsupported(reason: "its audio does not say how it is encoded")
        }
        isOpus = lengths.kind.name == "opus"
        guard isOpus || lengths.kind.name == "vorbis" && headers.count >= 3 else {
            throw .unsupported(reason: "its audio is neither Opus nor Vorbis")
        }
        (self.headers, sampleRate, preSkip) = (headers, lengths.rate, lengths.skipped)
        // What Opus tells of itself is written anew.
        for header in isOpus ? [Array("OpusTags".utf8)] : Array(headers.dropFirst()) { _ = lengths.next(header) }
        self.lengths = lengths
        _ = Self.head(attributes, headers, isOpus: isOpus, &stream)
    }

    var sampleCount: Int { max(0, position - omitted - preSkip) }

    mutating func bytes(
        for packet: UnsafeRawBufferPointer, lasting duration: MediaTime?
    ) throws(MovieFileError) -> [UInt8] {
        let bytes = Array(packet)
        pageSize = 0
        // Demuxers hand out what a stream begins with, too.
        let isHeader =
            isOpus
            ? ["OpusHead", "OpusTags"].contains { bytes.starts(with: $0.utf8) }
            : bytes.first.map { $0 & 1 == 1 } ?? true
        guard !bytes.isEmpty, !isHeader else { return [] }
        guard let length = lengths.next(bytes) else {
            throw .unsupported(reason: "its \(isOpus ? "Opus" : "Vorbis") is damaged")
        }
        let parts = OggStream.parts(of: bytes.count)
        let isFull = position - pageStart >= sampleRate / 2 || partCount + parts > OggStream.mostParts
        let page = isFull && !packets.isEmpty ? stream.pages(packets, position: UInt64(position)) : []
        if !page.isEmpty { (packets, partCount, pageStart, pageSize) = ([], 0, position, page.count) }
        let told = duration.map { Int(($0.seconds * Double(sampleRate)).rounded()) } ?? length
        let presented = position == 0 ? told + preSkip : told
        omitted = max(0, length - max(0, presented))
        packets.append(bytes)
        partCount += parts
        position += length
        return page
    }

    mutating func add(written: Int) {
        guard written > 0, pageSize > 0 else { return }
        guard written == pageSize else {
            // No page follows one that is not whole.
            (packets, position, omitted) = ([], writtenEnd, 0)
            return
        }
        audioSize += UInt64(written)
        writtenEnd = pageStart
    }

    func head(_ attributes: AudioFileAttributes, tailSize: Int) -> [UInt8] {
        var stream = stream
        stream.pageCount = 0
        return Self.head(attributes, headers, isOpus: isOpus, &stream)
    }

    private static func head(
        _ attributes: AudioFileAttributes, _ headers: [[UInt8]], isOpus: Bool, _ stream: inout OggStream
    ) -> [UInt8] {
        let (comments, padding) = VorbisComments.fitting(attributes, room: room, hasImages: true)
        // Readers of Opus pass over what is behind the comments; those of Vorbis expect a set bit there, and it is never recorded.
        let told =
            isOpus
            ? Array("OpusTags".utf8) + comments + [UInt8](repeating: 0, count: padding)
            : [3] + Array("vorbis".utf8) + comments + [1]
        let others = isOpus ? [] : Array(headers[2...])
        return stream.pages([headers[0]], position: 0, begins: true) + stream.pages([told] + others, position: 0)
    }

    func tail(_ attributes: AudioFileAttributes) -> [UInt8] {
        guard !packets.isEmpty else { return [] }
        var stream = stream
        return stream.pages(packets, position: UInt64(max(0, position - omitted)), ends: true)
    }
}
