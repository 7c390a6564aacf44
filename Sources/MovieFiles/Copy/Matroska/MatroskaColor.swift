/// What a sample entry says of colour and light, as Matroska's `Colour` (RFC 9559 section 5.1.4.1.28.16).
struct MatroskaColor: Sendable {
    private var colour: ColorInformation?
    private var mastering: [Double] = []
    private var light: [UInt16] = []

    init(_ entry: SampleEntry) throws(MovieFileError) {
        let own = try VideoFormat(entry).colour
        colour = try entry["colr"].flatMap { (box) throws(MovieFileError) in try ColorInformation(box) }
        // QuickTime's form has no range; the codec's headers do.
        if colour?.isFullRange == nil { colour?.isFullRange = own?.isFullRange }
        if let box = entry["mdcv"] { mastering = try Self.mastering(box) }
        if let box = entry["clli"] {
            var reader = ByteReader(box)
            light = try reader.readTable(2)
        }
    }

    /// `mdcv` (ISO/IEC 14496-12 section 12.1.7): green, blue, red and white in steps of 0.00002, then the brightest and the
    /// darkest light in steps of 0.0001 candela a square metre.
    private static func mastering(_ box: Box) throws(MovieFileError) -> [Double] {
        var reader = ByteReader(box)
        let places = try reader.readTable(8, of: UInt16.self).map { Double($0) / 50_000 }
        return places + (try reader.readTable(2, of: UInt32.self).map { Double($0) / 10_000 })
    }

    /// In the order of `mdcv`.
    private static let masteringElements: [ElementID] = [
        .primaryGChromaticityX, .primaryGChromaticityY, .primaryBChromaticityX, .primaryBChromaticityY,
        .primaryRChromaticityX, .primaryRChromaticityY, .whitePointChromaticityX, .whitePointChromaticityY,
        .luminanceMax, .luminanceMin,
    ]

    /// nil where nothing is told.
    var element: [UInt8]? {
        guard colour != nil || !mastering.isEmpty || !light.isEmpty else { return nil }
        var writer = EBMLWriter()
        writer.master(.colour) { element in
            if let colour {
                element.unsigned(.matrixCoefficients, UInt64(colour.matrix))
                if let isFull = colour.isFullRange { element.unsigned(.range, isFull ? 2 : 1) }
                element.unsigned(.transferCharacteristics, UInt64(colour.transfer))
                element.unsigned(.primaries, UInt64(colour.primaries))
            }
            if light.count == 2 {
                element.unsigned(.maxCLL, UInt64(light[0]))
                element.unsigned(.maxFALL, UInt64(light[1]))
            }
            guard !mastering.isEmpty else { return }
            element.master(.masteringMetadata) { metadata in
                for (id, value) in zip(Self.masteringElements, mastering) { metadata.float(id, value) }
            }
        }
        return writer.bytes
    }
}
