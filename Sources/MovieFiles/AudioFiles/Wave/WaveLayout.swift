import Foundation
import MediaTypes

/// RIFF WAVE with samples as they are (Microsoft, "Multiple Channel Audio Data and WAVE Files"), and what EBU Tech 3285 adds.
struct WaveLayout: AudioFileLayout {
    let format: PCMFormat
    private(set) var audioSize: UInt64 = 0
    /// Bytes of a sample of each channel that the disk broke off.
    private var rest = 0

    var sampleRate: Int { format.sampleRate }
    var sampleCount: Int { Int(clamping: audioSize / UInt64(format.frameSize)) }

    init(_ format: PCMFormat) throws(MovieFileError) {
        guard (1...64).contains(format.channels), (format.isFloat ? [32, 64] : [8, 16, 24, 32]).contains(format.bits),
            (1...768_000).contains(format.sampleRate)
        else { throw .unsupported(reason: "WAV cannot hold such samples here") }
        self.format = format
    }

    func bytes(for packet: UnsafeRawBufferPointer, lasting _: MediaTime?) -> [UInt8] { Array(packet) }

    mutating func add(written: Int) {
        let whole = (written + rest) / format.frameSize * format.frameSize
        rest += written - whole
        audioSize += UInt64(whole)
    }

    /// `ds64` has this place, which is junk while the sizes fit into 32 bits (EBU Tech 3306).
    static let largeSizesSize = 28
    static let largeSizesPlace = 12

    func head(_ attributes: AudioFileAttributes, tailSize: Int) -> [UInt8] {
        var chunks: [UInt8] = []
        chunks.append(chunk: "bext", broadcast(attributes.metadata))
        chunks.append(chunk: "fmt ", formatChunk)
        if let production = attributes.metadata.production {
            chunks.append(chunk: "iXML", production.content(sampleRate: sampleRate, bits: format.bits))
        }
        let info = Self.info(attributes.metadata)
        if !info.isEmpty { chunks.append(chunk: "LIST", Array("INFO".utf8) + info) }
        let sizes = WaveSizes(
            headSize: Self.largeSizesPlace + 8 + Self.largeSizesSize + chunks.count + 8, audioSize: audioSize,
            sampleCount: UInt64(sampleCount), tailSize: tailSize)
        return sizes.beginning + chunks + sizes.data
    }

    /// The places that have names, as cue points with labels.
    func tail(_ attributes: AudioFileAttributes) -> [UInt8] {
        var tail = [UInt8](repeating: 0, count: Int(audioSize % 2))
        let places = Self.places(attributes.chapters, sampleRate: sampleRate)
        // GStreamer (1.22) reads nothing of a file that ends with what fills up its last chunk; see ``PaddedWave``.
        if places.isEmpty, !tail.isEmpty { tail.append(chunk: "JUNK", []) }
        return tail + places
    }

    /// The chunks of cue points and their labels; none where there is no place.
    static func places(_ chapters: [MovieInfo.Chapter], sampleRate: Int) -> [UInt8] {
        let places = chapters.compactMap { chapter -> (UInt32, [UInt8])? in
            let place = (chapter.start.seconds * Double(sampleRate)).rounded()
            return UInt32(exactly: place).map { ($0, AudioFileAttributes.text(chapter.title) ?? []) }
        }
        guard !places.isEmpty else { return [] }
        var (cues, labels): ([UInt8], [UInt8]) = ([], Array("adtl".utf8))
        cues.append(little: UInt32(places.count))
        for (index, (place, title)) in places.enumerated() {
            let number = UInt32(index + 1)
            for value in [number, place] { cues.append(little: value) }
            cues += Array("data".utf8)
            for value in [0, 0, place] as [UInt32] { cues.append(little: value) }
            var label: [UInt8] = []
            label.append(little: number)
            labels.append(chunk: "labl", label + title + [0])
        }
        var bytes: [UInt8] = []
        bytes.append(chunk: "cue ", cues)
        bytes.append(chunk: "LIST", labels)
        return bytes
    }

    /// WAVE_FORMAT_EXTENSIBLE: it says which speakers the channels are for.
    private var formatChunk: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(little: UInt16(0xFFFE))
        bytes.append(little: UInt16(format.channels))
        bytes.append(little: UInt32(format.sampleRate))
        bytes.append(little: UInt32(format.sampleRate * format.frameSize))
        bytes.append(little: UInt16(format.frameSize))
        bytes.append(little: UInt16(format.bits))
        bytes.append(little: UInt16(22))
        bytes.append(little: UInt16(format.bits))
        bytes.append(little: mask)
        bytes.append(little: UInt16(format.isFloat ? 3 : 1))
        // What all such identifiers end with.
        bytes += [0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71]
        return bytes
    }

    private var mask: UInt32 {
        if format.channelMask != 0 { return format.channelMask }
        return format.channels == 1 ? 0x4 : format.channels == 2 ? 0x3 : 0
    }

    /// The `bext` chunk: title, date, and the time of day of the first sample, by which editors line files up.
    private func broadcast(_ metadata: MovieMetadata) -> [UInt8] {
        if let own = metadata.broadcast { return own.content(sampleRate: sampleRate) }
        var bytes = Self.field(metadata.title ?? metadata.description, 256)
        bytes += Self.field(metadata.artist ?? metadata.software, 32)
        bytes += Self.field(nil, 32)
        let date = metadata.creationDate.map(\.description)
        bytes += Self.field(date.map { String($0.prefix(10)) }, 10)
        bytes += Self.field(date.map { String($0.dropFirst(11).prefix(8)) }, 8)
        bytes.append(little: UInt64(metadata.creationDate.map { secondsOfDay($0) * Double(sampleRate) } ?? 0))
        bytes.append(little: UInt16(1))
        return bytes + [UInt8](repeating: 0, count: 602 - bytes.count)
    }

    private func secondsOfDay(_ date: MovieDate) -> Double {
        let local = date.date.timeIntervalSince1970 + Double(date.secondsFromGMT)
        let seconds = local.truncatingRemainder(dividingBy: 86_400)
        return seconds.isFinite ? max(0, seconds < 0 ? seconds + 86_400 : seconds) : 0
    }

    static func field(_ text: String?, _ size: Int) -> [UInt8] {
        let bytes = Array((text ?? "").utf8Prefix(size).prefix { $0 != 0 })
        return bytes + [UInt8](repeating: 0, count: size - bytes.count)
    }

    /// What the chunk `LIST` of type INFO has words for.
    private static func info(_ metadata: MovieMetadata) -> [UInt8] {
        var told = metadata
        told.comment = metadata.comment ?? metadata.description
        var bytes: [UInt8] = []
        for field in MetadataField.allCases {
            guard let name = infoNames[field]?.first, let text = AudioFileAttributes.text(told[field]) else { continue }
            bytes.append(chunk: name, text + [0])
        }
        return bytes
    }

    /// As they are written, and other names in use.
    static let infoNames: [MetadataField: [String]] = [
        .title: ["INAM"], .artist: ["IART"], .album: ["IPRD"], .genre: ["IGNR"], .comment: ["ICMT"],
        .description: ["ISBJ"], .copyright: ["ICOP"], .creationDate: ["ICRD"], .software: ["ISFT"],
        .trackNumber: ["ITRK", "IPRT"],
        .composer: ["IMUS"],
    ]
}

extension [UInt8] {
    /// Appends a chunk: its name, its size, its bytes, and one more where they are odd.
    mutating func append(chunk name: String, _ bytes: [UInt8]) {
        append(contentsOf: name.utf8)
        append(little: UInt32(bytes.count))
        append(contentsOf: bytes)
        if bytes.count % 2 == 1 { append(0) }
    }
}
