/// The fixed fields of an audio sample entry (ISO/IEC 14496-12 section 12.2.3, QuickTime "Sound Sample Descriptions").
struct AudioFields: Sendable {
    var channels: Int
    var bitsPerSample: Int
    /// In hertz.
    var sampleRate: Double
    /// The bytes of one frame, all channels together, where the samples are PCM; nil for compressed audio.
    var bytesPerFrame: Int?

    /// Formats whose samples are frames of uncompressed audio.
    static let pcmFormats: Set<FourCC> = [
        "sowt", "twos", "lpcm", "in24", "in32", "fl32", "fl64", "raw ", "NONE", "ipcm", "fpcm", "alaw", "ulaw",
    ]

    /// A thousand channels of 64 bits.
    private static let maximumBytesPerFrame = 8000

    init(_ entry: SampleEntry) throws(MovieFileError) {
        var reader = ByteReader(entry.fields, of: entry.format, at: entry.fileOffset)
        try reader.skip(8)
        let version: UInt16 = try reader.read()
        try reader.skip(6)
        channels = Int(try reader.read(UInt16.self))
        bitsPerSample = Int(try reader.read(UInt16.self))
        try reader.skip(4)
        sampleRate = Double(try reader.read(UInt32.self)) / 65536
        var frame: Int?
        if version == 1, entry.fields.count == 44 {
            try reader.skip(8)
            frame = Int(try reader.read(UInt32.self))
        } else if version == 2, entry.fields.count == 64 {
            try reader.skip(4)
            sampleRate = Double(bitPattern: try reader.read())
            channels = Int(try reader.read(UInt32.self))
            try reader.skip(4)
            bitsPerSample = Int(try reader.read(UInt32.self))
            try reader.skip(4)
            frame = Int(try reader.read(UInt32.self))
        }
        if let depth = try Self.isoDepth(entry) {
            bitsPerSample = depth
            frame = nil
        }
        if Self.pcmFormats.contains(entry.format) {
            let bytes = frame ?? channels * Self.bytesPerSample(entry.format, bits: bitsPerSample)
            bytesPerFrame = (1...Self.maximumBytesPerFrame).contains(bytes) ? bytes : nil
        }
        guard sampleRate.isFinite, (0...1e9).contains(sampleRate) else {
            throw reader.error("its sample rate is invalid")
        }
    }

    /// The depth in `pcmC`, which ISO's PCM formats have (ISO/IEC 23003-5 section 5.2).
    private static func isoDepth(_ entry: SampleEntry) throws(MovieFileError) -> Int? {
        guard let box = entry["pcmC"] else { return nil }
        var reader = ByteReader(box)
        try reader.skip(5)
        return Int(try reader.read(UInt8.self))
    }

    private static func bytesPerSample(_ format: FourCC, bits: Int) -> Int {
        switch format {
        case "in24": 3
        case "in32", "fl32": 4
        case "fl64": 8
        case "alaw", "ulaw": 1
        default: (bits + 7) / 8
        }
    }
}

extension SampleEntry {
    /// Whether PCM is little-endian: QuickTime's `enda` says so inside of `wave`, ISO's `pcmC` in its flags.
    var isLittleEndian: Bool {
        if let pcmC = self["pcmC"] { return pcmC.payload.dropFirst(4).first.map { $0 & 1 != 0 } ?? false }
        return inWave("enda").flatMap { UInt16(bigEndianBytes: $0.payload.prefix(2)) } == 1
    }

    /// A box of the entry itself, or of the `wave` box in which QuickTime keeps what the decoder needs.
    func inWave(_ type: FourCC) -> Box? {
        if let box = self[type] { return box }
        guard let wave = self["wave"] else { return nil }
        return (try? Box.boxes(in: wave.payload, at: wave.payloadOffset))?.boxes.first { $0.type == type }
    }
}
