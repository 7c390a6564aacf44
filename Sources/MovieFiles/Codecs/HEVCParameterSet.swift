import MediaTypes

/// The sequence parameter set of HEVC, read for the colours at its end (ITU-T H.265 section 7.3.2.2).
struct HEVCParameterSet: Sendable, Equatable {
    /// Of the frames that are shown.
    private(set) var size: VideoSize?
    /// How much wider than high a pixel is; nil where the stream says nothing about it.
    private(set) var pixelShape: Fraction?
    /// nil where the stream says nothing about colours.
    private(set) var colour: ColorInformation?
    /// Where it does, behind the unit's header, in bits without what keeps start codes out; nil without usability information.
    private(set) var colorPlace: Range<Int>?

    /// - Parameter unit: The NAL unit with its header; nil is returned where it ends too early.
    init?(_ unit: ArraySlice<UInt8>) {
        var reader = ExpGolombReader(unit.dropFirst(2))
        do { try parse(&reader) } catch { return nil }
    }

    private mutating func parse(_ reader: inout ExpGolombReader) throws(ExpGolombReader.EndOfData) {
        try reader.skip(4)
        let subLayers = try reader.bits(3)
        try reader.skip(1)
        try reader.skipProfile(subLayers: subLayers)
        try reader.skipNumbers(1)
        let chromaFormat = try reader.unsigned()
        if chromaFormat == 3 { try reader.skip(1) }
        let (width, height) = (try reader.unsigned(), try reader.unsigned())
        size = try reader.cropped(
            width: width, height: height, across: [1, 2].contains(chromaFormat) ? 2 : 1,
            down: chromaFormat == 1 ? 2 : 1)
        try reader.skipNumbers(2)
        let orderCountBits = min(16, 4 + (try reader.unsigned()))
        let isOrderingForEach = try reader.flag()
        try reader.skipNumbers(3 * (isOrderingForEach ? subLayers + 1 : 1))
        try reader.skipNumbers(6)
        if try reader.flag(), try reader.flag() { try skipScalingLists(&reader) }
        try reader.skip(2)
        if try reader.flag() {
            try reader.skip(8)
            try reader.skipNumbers(2)
            try reader.skip(1)
        }
        try skipReferenceSets(&reader)
        if try reader.flag() {
            for _ in 0..<min(32, try reader.unsigned()) { try reader.skip(orderCountBits + 1) }
        }
        try reader.skip(2)
        if try reader.flag() { colour = try reader.usabilityColors(&colorPlace, shape: &pixelShape) }
    }

    private func skipScalingLists(_ reader: inout ExpGolombReader) throws(ExpGolombReader.EndOfData) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                guard try reader.flag() else {
                    try reader.skipNumbers(1)
                    continue
                }
                try reader.skipNumbers((size > 1 ? 1 : 0) + min(64, 1 << (4 + 2 * size)))
            }
        }
    }

    private func skipReferenceSets(
        _ reader: inout ExpGolombReader
    ) throws(ExpGolombReader.EndOfData) {
        var frames = 0
        for index in 0..<min(64, try reader.unsigned()) {
            if index > 0, try reader.flag() {
                // Predicted from the set before: a frame of that one may be left out.
                try reader.skip(1)
                try reader.skipNumbers(1)
                var kept = 0
                for _ in 0...frames {
                    let isUsed = try reader.flag()
                    let isKept = isUsed ? true : try reader.flag()
                    if isKept { kept += 1 }
                }
                frames = kept
            } else {
                frames = min(64, (try reader.unsigned()) + (try reader.unsigned()))
                for _ in 0..<frames {
                    try reader.skipNumbers(1)
                    try reader.skip(1)
                }
            }
        }
    }
}
