import MediaTypes

/// The sequence parameter set of H.264, as far as the colours at its end (ITU-T H.264 section 7.3.2.1.1).
struct AVCParameterSet: Sendable, Equatable {
    /// 0 to 3: 4:0:0, 4:2:0, 4:2:2, 4:4:4.
    private(set) var chromaFormat = 1
    private(set) var bitDepth = 8
    /// Whether no frame is coded as two fields.
    private(set) var isFramesOnly = true
    /// By how many frames their order of decoding differs from that of showing; nil where the stream does not say.
    private(set) var reorderedFrames: Int?
    /// Whether the profile (Baseline) or the way in which frames are ordered (section 8.2.1.3) leaves no other order than that of decoding.
    private(set) var isInOrder = false
    /// Of the frames that are shown.
    private(set) var size: VideoSize?
    /// How much wider than high a pixel is; nil where the stream says nothing about it.
    private(set) var pixelShape: Fraction?
    /// nil where the stream says nothing about colours.
    private(set) var colour: ColorInformation?
    /// Where it does, behind the unit's header, in bits without what keeps start codes out; nil without usability information.
    private(set) var colorPlace: Range<Int>?

    /// Profiles whose sets tell the chroma format.
    private static let highProfiles: Set<Int> = [44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244]

    /// - Parameter unit: The NAL unit with its header; nil is returned where it ends too early.
    init?(_ unit: ArraySlice<UInt8>) {
        var reader = ExpGolombReader(unit.dropFirst())
        do { try parse(&reader) } catch { return nil }
    }

    private mutating func parse(_ reader: inout ExpGolombReader) throws(ExpGolombReader.EndOfData) {
        let profile = try reader.bits(8)
        isInOrder = profile == 66
        try reader.skip(16)
        try reader.skipNumbers(1)
        if Self.highProfiles.contains(profile) {
            chromaFormat = min(3, try reader.unsigned())
            if chromaFormat == 3 { try reader.skip(1) }
            bitDepth = min(14, 8 + (try reader.unsigned()))
            try reader.skipNumbers(1)
            try reader.skip(1)
            if try reader.flag() { try skipScalingLists(&reader) }
        }
        try reader.skipNumbers(1)
        switch try reader.unsigned() {
        case 0: try reader.skipNumbers(1)
        case 1:
            try reader.skip(1)
            try reader.skipNumbers(2)
            try reader.skipNumbers(min(255, try reader.unsigned()))
        case 2: isInOrder = true
        default: break
        }
        try reader.skipNumbers(1)
        try reader.skip(1)
        let (columns, rows) = (try reader.unsigned() + 1, try reader.unsigned() + 1)
        isFramesOnly = try reader.flag()
        if !isFramesOnly { try reader.skip(1) }
        try reader.skip(1)
        let rowHeight = isFramesOnly ? 1 : 2
        size = try reader.cropped(
            width: columns * 16, height: rows * 16 * rowHeight, across: [1, 2].contains(chromaFormat) ? 2 : 1,
            down: (chromaFormat == 1 ? 2 : 1) * rowHeight)
        guard try reader.flag() else { return }
        colour = try reader.usabilityColors(&colorPlace, shape: &pixelShape)
        // What follows is of use where it is there, and its lack is no reason to doubt the rest.
        reorderedFrames = try? reordering(&reader)
    }

    /// The rest of the usability information (section E.1.1).
    private func reordering(_ reader: inout ExpGolombReader) throws(ExpGolombReader.EndOfData) -> Int? {
        if try reader.flag() { try reader.skip(65) }
        var hasBuffer = false
        for _ in 0..<2 where try reader.flag() {
            hasBuffer = true
            // The buffer's model (section E.1.2).
            let count = min(32, try reader.unsigned() + 1)
            try reader.skip(8)
            for _ in 0..<count {
                try reader.skipNumbers(2)
                try reader.skip(1)
            }
            try reader.skip(20)
        }
        if hasBuffer { try reader.skip(1) }
        try reader.skip(1)
        guard try reader.flag() else { return nil }
        try reader.skip(1)
        try reader.skipNumbers(4)
        return min(16, try reader.unsigned())
    }

    private func skipScalingLists(_ reader: inout ExpGolombReader) throws(ExpGolombReader.EndOfData) {
        for list in 0..<(chromaFormat == 3 ? 12 : 8) where try reader.flag() {
            var last = 8
            var next = 8
            for _ in 0..<(list < 6 ? 16 : 64) {
                if next != 0 { next = (last + (try reader.signed()) % 256 + 256) % 256 }
                if next != 0 { last = next }
            }
        }
    }
}
