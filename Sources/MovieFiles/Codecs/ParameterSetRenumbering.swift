/// Gives the parameter sets of one encoder, and the frames that name them, numbers that another encoder's do not have, so
/// that one sample description holds both; and the other's words about colours, as an encoder that is told none guesses.
struct ParameterSetRenumbering: Sendable {
    private let codec: ParameterSetCodec
    private let video: Int
    private let sequence: Int
    private let frame: Int
    /// Of the other's first sequence: the bits about colours, and where they stand.
    private let colour: (place: Range<Int>, payload: [UInt8])

    /// A frame that names the set 0 by one bit names one of these by nine: all that follows moves by a whole byte, so that
    /// what has to begin with one still does (ITU-T H.264 section 7.3.4, H.265 section 7.3.8.1).
    private static let frames = 15...30

    /// - Returns: nil where there are more sets than one of each kind, or no number is free.
    init?(_ record: ParameterSetRecord, beside others: ParameterSetRecord) {
        guard let own = ParameterSetNumbers(record), let taken = ParameterSetNumbers(others), own.frames == [0],
            own.sequences.count == 1, own.videos.count <= 1,
            let video = (1...15).first(where: { !taken.videos.contains($0) }),
            let sequence = (1...15).first(where: { !taken.sequences.contains($0) }),
            let frame = Self.frames.first(where: { !taken.frames.contains($0) })
        else { return nil }
        codec = record.codec
        (self.video, self.sequence, self.frame) = (video, sequence, frame)
        // A flag of zero: nothing is said.
        var colour: (Range<Int>, [UInt8]) = (0..<1, [0])
        for unit in others.units {
            guard let place = (try? ParameterSetFields(unit, others.codec))?.colour else { continue }
            colour = (place, NALUnits.unescaped(unit))
            break
        }
        self.colour = colour
    }

    /// A sample with the new numbers; nil where its units cannot be read. Messages about the stream go, as they are about the
    /// encoder's own and mostly tell who it is; so do sets, which stand in the sample description.
    ///
    /// - Parameters:
    ///   - lengthSize: how many bytes the length before each unit has.
    ///   - newLengthSize: the same of what is returned.
    ///   - sets: what is to stand before the frame.
    func renumbered(
        sample: ArraySlice<UInt8>, lengthSize: Int, to newLengthSize: Int, behind sets: [[UInt8]] = []
    ) -> [UInt8]? {
        guard let units = NALUnits.split(sample, lengthSize: lengthSize) else { return nil }
        var writer = ByteWriter()
        func append(_ unit: [UInt8]) -> Bool {
            guard unit.count >> (8 * newLengthSize) == 0 else { return false }
            for place in (0..<newLengthSize).reversed() {
                writer.append(UInt8(truncatingIfNeeded: unit.count >> (8 * place)))
            }
            writer.append(contentsOf: unit)
            return true
        }
        for set in sets where !append(set) { return nil }
        let before = writer.bytes.count
        for unit in units {
            guard let first = unit.first, case .frame = codec.kind(first) else { continue }
            guard let changed = renumbered(unit), append(changed) else { return nil }
        }
        return writer.bytes.count == before ? nil : writer.bytes
    }

    /// A parameter set, or a part of a frame, with the new numbers; nil where it cannot be read.
    func renumbered(_ unit: some Collection<UInt8>) -> [UInt8]? {
        guard let first = unit.first, let fields = try? ParameterSetFields(unit, codec) else { return nil }
        let payload = NALUnits.unescaped(unit)
        var writer = BitWriter()
        var place = 0
        func copy(to field: Range<Int>) {
            writer.append(place..<field.lowerBound, of: payload)
            place = field.upperBound
        }
        if let field = fields.video {
            copy(to: field.place)
            writer.append(video, count: 4)
        }
        // In a frame's set its own number comes first.
        if let field = fields.frame {
            guard field.value == 0 else { return nil }
            copy(to: field.place)
            writer.append(number: frame)
        }
        if let field = fields.sequence {
            copy(to: field.place)
            writer.append(number: sequence)
        }
        if let field = fields.colour {
            copy(to: field)
            writer.append(colour.place, of: colour.payload)
        }
        writer.append(place..<payload.count * 8, of: payload)
        var bytes = writer.bytes
        // Moved by some bits, a set may end with a byte of nothing, which none may.
        if case .frame = codec.kind(first) {} else { while bytes.last == 0 { bytes.removeLast() } }
        return NALUnits.escaped(bytes)
    }
}
