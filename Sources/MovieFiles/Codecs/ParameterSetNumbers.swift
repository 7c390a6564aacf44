/// The numbers by which parameter sets name each other and frames name them.
struct ParameterSetNumbers: Sendable {
    /// Of HEVC's video parameter sets.
    private(set) var videos: Set<Int> = []
    private(set) var sequences: Set<Int> = []
    private(set) var frames: Set<Int> = []

    /// - Returns: nil where a set is too short to be read.
    init?(_ record: ParameterSetRecord) {
        do {
            for unit in record.units { try add(unit, record.codec) }
        } catch {
            return nil
        }
    }

    private mutating func add(_ unit: [UInt8], _ codec: ParameterSetCodec) throws(ExpGolombReader.EndOfData) {
        let fields = try ParameterSetFields(unit, codec)
        if let video = fields.video { videos.insert(video.value) }
        if let sequence = fields.sequence, fields.frame == nil { sequences.insert(sequence.value) }
        if let frame = fields.frame { frames.insert(frame.value) }
    }
}

/// Where a unit holds such numbers.
struct ParameterSetFields {
    struct Field {
        var value: Int
        /// In bits of the unit as it is without what keeps start codes out.
        var place: Range<Int>
    }

    private(set) var video: Field?
    private(set) var sequence: Field?
    private(set) var frame: Field?
    /// What a sequence's set says about colours, from the flag on that tells whether it does.
    private(set) var colour: Range<Int>?

    init(_ unit: some Collection<UInt8>, _ codec: ParameterSetCodec) throws(ExpGolombReader.EndOfData) {
        guard let first = unit.first else { throw ExpGolombReader.EndOfData() }
        // A frame's header is at its beginning, and it may be large.
        var reader = ExpGolombReader(unit.prefix(1024))
        try reader.skip(codec.headerSize)
        switch codec.kind(first) {
        case .vps: video = try Self.bits(4, &reader)
        case .sps where codec == .avc:
            try reader.skip(24)
            sequence = try Self.number(&reader)
            colour = AVCParameterSet(Array(unit)[...])?.colorPlace?.moved(by: codec.headerSize)
        case .sps:
            video = try Self.bits(4, &reader)
            let subLayers = try reader.bits(3)
            try reader.skip(1)
            try reader.skipProfile(subLayers: subLayers)
            sequence = try Self.number(&reader)
            colour = HEVCParameterSet(Array(unit)[...])?.colorPlace?.moved(by: codec.headerSize)
        case .pps:
            frame = try Self.number(&reader)
            sequence = try Self.number(&reader)
        case .frame where codec == .avc:
            try reader.skipNumbers(2)
            frame = try Self.number(&reader)
        case .frame:
            // Where decoding can begin, one flag more (ITU-T H.265 section 7.3.6.1).
            try reader.skip((16...23).contains(first >> 1 & 0x3F) ? 2 : 1)
            frame = try Self.number(&reader)
        case .other: break
        }
    }

    private static func number(_ reader: inout ExpGolombReader) throws(ExpGolombReader.EndOfData) -> Field {
        let start = reader.position
        let value = try reader.unsigned()
        return Field(value: value, place: start..<reader.position)
    }

    private static func bits(
        _ count: Int, _ reader: inout ExpGolombReader
    ) throws(ExpGolombReader.EndOfData) -> Field {
        let start = reader.position
        let value = try reader.bits(count)
        return Field(value: value, place: start..<reader.position)
    }
}

extension Range<Int> {
    fileprivate func moved(by distance: Int) -> Range { lowerBound + distance..<upperBound + distance }
}
