/// What an `esds` box says of a stream's decoder (ISO/IEC 14496-1 section 7.2.6).
struct ElementaryStreamDescriptor: Sendable, Equatable {
    /// Which standard the stream follows (ISO/IEC 14496-1 table 5).
    var objectType: UInt8
    /// The decoder's own configuration; nil where the stream needs none.
    var configuration: ArraySlice<UInt8>?

    /// MPEG-1 and MPEG-2 audio layer 3 (ISO/IEC 11172-3, 13818-3).
    var isMP3: Bool { objectType == 0x6B || objectType == 0x69 }

    static let mp3 = ElementaryStreamDescriptor(objectType: 0x6B)

    init(objectType: UInt8, configuration: ArraySlice<UInt8>? = nil) {
        self.objectType = objectType
        self.configuration = configuration
    }

    /// nil where the entry has no such box, or that describes no decoder.
    init?(_ entry: SampleEntry) throws(MovieFileError) {
        guard let esds = entry.inWave("esds") else { return nil }
        var reader = ByteReader(esds)
        try reader.skip(4)
        var objectType: UInt8?
        // Descriptors within descriptors: the stream's (3), the decoder's (4), the specific one (5).
        while !reader.remaining.isEmpty, configuration == nil {
            let tag: UInt8 = try reader.read()
            let size = try Self.size(&reader)
            switch tag {
            case 3:
                try reader.skip(2)
                let flags: UInt8 = try reader.read()
                if flags & 0x80 != 0 { try reader.skip(2) }
                if flags & 0x40 != 0 { try reader.skip(Int(try reader.read(UInt8.self))) }
                if flags & 0x20 != 0 { try reader.skip(2) }
            case 4:
                objectType = try reader.read()
                try reader.skip(12)
            case 5:
                configuration = try reader.readBytes(size)
            default: try reader.skip(size)
            }
        }
        guard let objectType else { return nil }
        self.objectType = objectType
    }

    /// Seven bits a byte, as long as the eighth is set.
    private static func size(_ reader: inout ByteReader) throws(MovieFileError) -> Int {
        var size = 0
        for _ in 0..<4 {
            let byte: UInt8 = try reader.read()
            size = size << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { break }
        }
        return size
    }

    /// An `esds` box of audio, whose configuration has some hundred bytes at most.
    func box() throws(MovieFileError) -> Box {
        let specific = configuration.map { Self.descriptor(5, Array($0)) } ?? []
        // The decoder's: a stream of audio, its buffer and rates unknown.
        let decoder = Self.descriptor(4, [objectType, 0x15] + [UInt8](repeating: 0, count: 11) + specific)
        // The stream's, without a number or flags; and how it is packed: as MP4 does.
        let stream = Self.descriptor(3, [0, 0, 0] + decoder + Self.descriptor(6, [2]))
        return try Box(full: "esds") { (writer: inout ByteWriter) in writer.append(contentsOf: stream) }
    }

    private static func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let size = content.count
        let high = UInt8(truncatingIfNeeded: size >> 7 & 0x7F)
        return [tag] + (high > 0 ? [0x80 | high] : []) + [UInt8(size & 0x7F)] + content
    }
}
