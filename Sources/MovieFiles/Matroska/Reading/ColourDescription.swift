/// Matroska's `Colour` (RFC 9559 section 5.1.4.1.28.16) as boxes of a sample description.
struct ColourDescription: Sendable {
    /// nil where nothing is told of them.
    private(set) var information: ColourInformation?
    private var lightLevels: (maximum: UInt16, average: UInt16)?
    private var mastering: [Double]?
    private var luminance: (maximum: Double, minimum: Double)?

    init(_ colour: Elements?) throws(MovieFileError) {
        guard let colour else { return }
        func code(_ id: ElementID) -> UInt16 { colour.unsigned(id).flatMap { UInt16(exactly: $0) } ?? 2 }
        let told = ColourInformation(
            primaries: code(.primaries), transfer: code(.transferCharacteristics), matrix: code(.matrixCoefficients),
            isFullRange: [1: false, 2: true][colour.unsigned(.range) ?? 0])
        let codes = [told.primaries, told.transfer, told.matrix]
        if told.isFullRange != nil || codes.contains(where: { $0 != 2 }) { information = told }
        if let maximum = colour.unsigned(.maxCLL), let average = colour.unsigned(.maxFALL) {
            lightLevels = (UInt16(clamping: maximum), UInt16(clamping: average))
        }
        guard let display = try colour.inside(.masteringMetadata) else { return }
        // In the order of the box: green, blue, red, white.
        let places: [ElementID] = [
            .primaryGChromaticityX, .primaryGChromaticityY, .primaryBChromaticityX, .primaryBChromaticityY,
            .primaryRChromaticityX, .primaryRChromaticityY, .whitePointChromaticityX, .whitePointChromaticityY,
        ]
        let coordinates = places.compactMap { display.float($0) }
        guard coordinates.count == places.count, let maximum = display.float(.luminanceMax),
            let minimum = display.float(.luminanceMin)
        else { return }
        (mastering, luminance) = (coordinates, (maximum, minimum))
    }

    /// `colr`, `mdcv` and `clli`, as far as there is something to say (ISO/IEC 14496-12 sections 12.1.5 to 12.1.7).
    func boxes() throws(MovieFileError) -> [Box] {
        var boxes: [Box] = []
        if let information {
            boxes.append(
                try Box("colr") { (writer: inout ByteWriter) in
                    writer.append(FourCC("nclx"))
                    writer.append(table: [information.primaries, information.transfer, information.matrix])
                    writer.append(UInt8(information.isFullRange == true ? 0x80 : 0))
                })
        }
        if let mastering, let luminance {
            boxes.append(
                try Box("mdcv") { (writer: inout ByteWriter) in
                    writer.append(table: mastering.map { Self.number($0, times: 50_000, UInt16.self) })
                    writer.append(Self.number(luminance.maximum, times: 10_000, UInt32.self))
                    writer.append(Self.number(luminance.minimum, times: 10_000, UInt32.self))
                })
        }
        if let lightLevels {
            boxes.append(
                try Box("clli") { (writer: inout ByteWriter) in
                    writer.append(lightLevels.maximum)
                    writer.append(lightLevels.average)
                })
        }
        return boxes
    }

    private static func number<T: FixedWidthInteger>(_ value: Double, times factor: Double, _: T.Type) -> T {
        T(clamping: Int64(min(max(value * factor, 0), 1e15).rounded()))
    }
}
