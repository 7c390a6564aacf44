/// Matroska's `Colour` (RFC 9559 section 5.1.4.1.28.16) as boxes of a sample description.
struct ColorDescription: Sendable {
    /// nil where nothing is told of them.
    private(set) var information: ColorInformation?
    private var light = LightMetadata()

    init(_ colour: Elements?) throws(MovieFileError) {
        guard let colour else { return }
        func code(_ id: ElementID) -> UInt16 { colour.unsigned(id).flatMap { UInt16(exactly: $0) } ?? 2 }
        let told = ColorInformation(
            primaries: code(.primaries), transfer: code(.transferCharacteristics), matrix: code(.matrixCoefficients),
            isFullRange: [1: false, 2: true][colour.unsigned(.range) ?? 0])
        let codes = [told.primaries, told.transfer, told.matrix]
        if told.isFullRange != nil || codes.contains(where: { $0 != 2 }) { information = told }
        if let maximum = colour.unsigned(.maxCLL), let average = colour.unsigned(.maxFALL) {
            light.content = ContentLight(maximum: Int(clamping: maximum), average: Int(clamping: average))
        }
        guard let display = try colour.inside(.masteringMetadata) else { return }
        func place(_ x: ElementID, _ y: ElementID) -> MasteringDisplay.Chromaticity? {
            display.float(x).flatMap { x in display.float(y).map { MasteringDisplay.Chromaticity(x: x, y: $0) } }
        }
        guard let red = place(.primaryRChromaticityX, .primaryRChromaticityY),
            let green = place(.primaryGChromaticityX, .primaryGChromaticityY),
            let blue = place(.primaryBChromaticityX, .primaryBChromaticityY),
            let white = place(.whitePointChromaticityX, .whitePointChromaticityY),
            let maximum = display.float(.luminanceMax), let minimum = display.float(.luminanceMin)
        else { return }
        light.display = MasteringDisplay(
            red: red, green: green, blue: blue, whitePoint: white, maximumLuminance: maximum, minimumLuminance: minimum)
    }

    /// `colr`, `mdcv` and `clli`, as far as there is something to say (ISO/IEC 14496-12 sections 12.1.5 to 12.1.7).
    func boxes() throws(MovieFileError) -> [Box] {
        var boxes: [Box] = []
        if let information {
            boxes.append(try information.box(for: .mp4))
        }
        if let display = light.display { boxes.append(try display.box()) }
        if let content = light.content { boxes.append(try content.box()) }
        return boxes
    }
}
