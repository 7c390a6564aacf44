/// `avcC` and `hvcC`: the parameter sets of a track, and what all of them ask of a decoder (ISO/IEC 14496-15 sections 5.3.3
/// and 8.3.2).
struct ParameterSetRecord: Sendable {
    let codec: ParameterSetCodec
    /// The fields before the sets.
    private var fields: [UInt8]
    /// The sets by their kind, behind the byte that tells it in `hvcC`; in `avcC` those of sequences and of frames.
    private(set) var arrays: [(kind: UInt8, units: [[UInt8]])] = []
    private var trailer: [UInt8] = []

    /// How many bytes the length before a unit has.
    var lengthSize: Int { Int((fields.last ?? 0) & 3) + 1 }
    var units: [[UInt8]] { arrays.flatMap(\.units) }

    /// - Returns: nil for another codec, and where the sets lie among the frames.
    init?(_ entry: SampleEntry) throws(MovieFileError) {
        guard let codec = ParameterSetCodec(format: entry.format), let box = entry[codec.record] else { return nil }
        try self.init(codec, box)
    }

    /// - Parameter box: `avcC` or `hvcC`.
    /// - Returns: nil where the sets lie among the frames.
    init?(_ codec: ParameterSetCodec, _ box: Box) throws(MovieFileError) {
        self.codec = codec
        var reader = ByteReader(box)
        fields = Array(try reader.readBytes(codec == .avc ? 5 : 22))
        let count = codec == .avc ? 2 : try reader.read(UInt8.self)
        for index in 0..<count {
            let kind = codec == .avc ? index : try reader.read(UInt8.self)
            let number =
                switch codec {
                case .avc: Int(try reader.read(UInt8.self)) & (index == 0 ? 0x1F : 0xFF)
                case .hevc: Int(try reader.read(UInt16.self))
                }
            var units: [[UInt8]] = []
            for _ in 0..<number {
                units.append(Array(try reader.readBytes(Int(try reader.read(UInt16.self)))))
            }
            arrays.append((kind, units))
        }
        trailer = Array(reader.remaining)
        guard arrays.count > 1, arrays.allSatisfy({ !$0.units.isEmpty && $0.units.allSatisfy { $0.count > 2 } }) else {
            return nil
        }
    }

    func box() throws(MovieFileError) -> Box {
        try Box(codec.record) { (writer: inout ByteWriter) in
            writer.append(contentsOf: fields)
            if codec == .hevc { writer.append(UInt8(truncatingIfNeeded: arrays.count)) }
            for (index, array) in arrays.enumerated() {
                switch codec {
                case .avc: writer.append(UInt8(truncatingIfNeeded: array.units.count) | (index == 0 ? 0xE0 : 0))
                case .hevc:
                    writer.append(array.kind)
                    writer.append(UInt16(truncatingIfNeeded: array.units.count))
                }
                for unit in array.units {
                    writer.append(UInt16(truncatingIfNeeded: unit.count))
                    writer.append(contentsOf: unit)
                }
            }
            writer.append(contentsOf: trailer)
        }
    }

    /// Exchanges each set; nil where one cannot be.
    func mapUnits(_ change: ([UInt8]) -> [UInt8]?) -> ParameterSetRecord? {
        var changed = self
        for (index, array) in arrays.enumerated() {
            let units = array.units.compactMap(change)
            guard units.count == array.units.count else { return nil }
            changed.arrays[index].units = units
        }
        return changed
    }

    /// A record with the sets of both; nil where no one decoder is asked for.
    func adding(_ other: ParameterSetRecord) -> ParameterSetRecord? {
        guard codec == other.codec else { return nil }
        var sum = self
        guard codec == .avc ? sum.uniteFrames(other) : sum.uniteProfiles(other) else { return nil }
        // Beside the sets there may be messages about the stream, which are about that one.
        let sets: ClosedRange<UInt8> = codec == .avc ? 0...1 : 32...34
        for array in other.arrays where sets.contains(array.kind & 0x3F) {
            guard let index = sum.arrays.firstIndex(where: { $0.kind & 0x3F == array.kind & 0x3F }) else { return nil }
            sum.arrays[index].units += array.units
        }
        return sum.arrays[0].units.count > 31 ? nil : sum
    }

    /// H.264's profile, flags and level. A decoder of the Main profile takes Constrained Baseline too, and one of the High
    /// profile both (ITU-T H.264 annex A.2).
    private mutating func uniteFrames(_ other: ParameterSetRecord) -> Bool {
        let formats = (arrays[0].units + other.arrays[0].units).map { AVCParameterSet($0[...]) }
        guard let first = formats[0], first.isFramesOnly else { return false }
        for format in formats {
            guard let format, format.isFramesOnly, format.chromaFormat == first.chromaFormat,
                format.bitDepth == first.bitDepth
            else { return false }
        }
        if fields[1] != other.fields[1] {
            for profile in [fields, other.fields] {
                let isConstrained = profile[1] == 66 && profile[2] & 0x40 != 0
                guard isConstrained || profile[1] == 77 || profile[1] == 100 else { return false }
            }
            fields[1] = max(fields[1], other.fields[1])
            if fields[1] == 100, trailer.isEmpty {
                let depth = UInt8(truncatingIfNeeded: first.bitDepth - 8)
                trailer = [0xFC | UInt8(truncatingIfNeeded: first.chromaFormat), 0xF8 | depth, 0xF8 | depth, 0]
            }
        }
        fields[2] &= other.fields[2]
        fields[3] = max(fields[3], other.fields[3])
        return true
    }

    /// HEVC's profile, tier, level and the rest of the fields.
    private mutating func uniteProfiles(_ other: ParameterSetRecord) -> Bool {
        let theirs = other.fields
        // Profile; chroma and depths.
        guard fields[1] & 0xDF == theirs[1] & 0xDF, fields[16..<19] == theirs[16..<19] else { return false }
        fields[1] |= theirs[1]
        for index in 2..<12 { fields[index] &= theirs[index] }
        fields[12] = max(fields[12], theirs[12])
        // Unknown is always true of the segmentation, the parallelism and the average rate.
        if fields[13..<15] != theirs[13..<15] { fields.replaceSubrange(13..<15, with: [0xF0, 0]) }
        if fields[15] != theirs[15] { fields[15] = 0xFC }
        if fields[19..<21] != theirs[19..<21] { fields.replaceSubrange(19..<21, with: [0, 0]) }
        // Constant rate, temporal layers, their nesting; the length of lengths stays.
        let (mine, yours) = (fields[21], theirs[21])
        let rate = mine & 0xC0 == yours & 0xC0 ? mine & 0xC0 : 0
        let layers = max(mine & 0x38, yours & 0x38)
        fields[21] = rate | layers | (mine & yours & 4) | (mine & 3)
        return true
    }
}
