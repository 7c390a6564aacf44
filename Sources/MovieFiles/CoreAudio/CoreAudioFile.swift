package import SystemPackage

/// A Core Audio file (Apple, "Core Audio Format Specification 1.0"), as iOS, Logic and many recorders write them and no demuxer of GStreamer (1.22)
/// reads.
package struct CoreAudioFile {
    /// What its samples are (`desc`).
    struct Format {
        var codec: FourCC
        /// In hertz.
        var rate: UInt32
        /// Of uncompressed samples: 1 where they are floats, 2 where they are little-endian.
        var flags: UInt32
        /// 0 where each packet has another size.
        var bytesPerPacket: UInt32
        /// 0 where each packet has another length.
        var framesPerPacket: UInt32
        var channels: UInt32
        var bits: UInt32
    }

    let format: Format
    /// Where the audio lies.
    let audio: Range<UInt64>
    /// Where all packets have the same size, none.
    let packets: CoreAudioPackets
    /// What its decoder needs (`kuki`).
    let cookie: [UInt8]
    /// Which channel is which (`chan`), as QuickTime has it.
    let layout: [UInt8]
    let metadata: MovieMetadata
    /// Whether the file ends before its audio does.
    let isCutOff: Bool
    /// Another file behind it.
    let appended: AppendedMovie?

    private static let maximumSize: UInt64 = 1 << 26
    private static let maximumCount = 1000

    static func isOne(_ file: ReadableFile) throws(MovieFileError) -> Bool {
        try file.read(upTo: 4, at: 0).elementsEqual("caff".utf8)
    }

    /// Whether a Core Audio file is cut off, and what lies behind it; nil of any other file.
    ///
    /// - Throws: `notAFile`, `system`, `damaged`, `unsupported`.
    package static func end(
        of path: FilePath
    ) throws(MovieFileError) -> (isCutOff: Bool, appended: AppendedMovie?)? {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in
            try CoreAudioFile(file).map { ($0.isCutOff, $0.appended) }
        }
    }

    /// - Returns: nil for any other file.
    /// - Throws: `damaged` where it is cut off in another part than its audio, `unsupported` where it does not say what it holds.
    init?(_ file: ReadableFile) throws(MovieFileError) {
        guard try Self.isOne(file) else { return nil }
        var (place, chunks, audio): (UInt64, [String: [UInt8]], Range<UInt64>?) = (8, [:], nil)
        var (isCutOff, appended) = (false, nil as AppendedMovie?)
        for _ in 0..<Self.maximumCount {
            let head = try file.read(upTo: 12, at: place)
            guard head.count == 12, let told = Int64(bigEndianBytes: head[4...]) else { break }
            let name = String(decoding: head[..<4], as: UTF8.self)
            if name == "caff" {
                appended = AppendedMovie(from: place, to: file.size, lasting: [nil])
                break
            }
            let (start, left) = (place + 12, file.size - place - 12)
            // A recorder does not know yet how long it becomes.
            let isOpen = name == "data" && (told == -1 || told > left)
            if isOpen, told > 0 { isCutOff = true }
            let size = isOpen ? left : UInt64(clamping: told)
            guard size <= left else {
                throw .damaged(reason: "it is cut off: it has \(left) of \(size) bytes of its part '\(name)'")
            }
            if name == "data" {
                // Behind the number of its edits.
                audio = start + min(4, size)..<start + size
            } else if size <= Self.maximumSize {
                chunks[name] = try file.read(upTo: Int(size), at: start)
            }
            place = start + size
        }
        guard let format = chunks["desc"].flatMap({ Format($0) }), let audio else {
            throw .unsupported(reason: "it does not say what its audio is")
        }
        (self.format, self.audio) = (format, audio)
        (self.isCutOff, self.appended) = (isCutOff, appended)
        packets = try CoreAudioPackets(chunks["pakt"] ?? [], format)
        (cookie, layout) = (chunks["kuki"] ?? [], chunks["chan"] ?? [])
        metadata = MovieMetadata(coreAudio: chunks["info"] ?? [])
    }
}

extension CoreAudioFile.Format {
    fileprivate init?(_ bytes: [UInt8]) {
        func number(_ place: Int) -> UInt32 { UInt32(bigEndianBytes: bytes[place..<place + 4]) ?? 0 }
        guard bytes.count >= 32, let bits = UInt64(bigEndianBytes: bytes[..<8]),
            let rate = UInt32(exactly: Double(bitPattern: bits).rounded()), (1...1_000_000).contains(rate)
        else { return nil }
        (codec, self.rate, flags) = (FourCC(rawValue: number(8)), rate, number(12))
        (bytesPerPacket, framesPerPacket) = (number(16), number(20))
        (channels, self.bits) = (number(24), number(28))
        guard (1...1000).contains(channels) else { return nil }
    }
}

extension MovieMetadata {
    /// - Parameter bytes: names and their texts in turn, each with a 0 behind it, behind their number (`info`).
    fileprivate init(coreAudio bytes: [UInt8]) {
        let words = bytes.dropFirst(4).split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        var texts: [String: String] = [:]
        for index in stride(from: 0, to: words.count - 1, by: 2) { texts[words[index].lowercased()] = words[index + 1] }
        self.init(named: texts)
        comment = texts["comments"] ?? comment
        software = texts["encoding application"] ?? texts["encoder"]
        creationDate = (texts["recorded date"] ?? texts["date"] ?? texts["year"]).flatMap { MovieDate($0) }
    }
}
