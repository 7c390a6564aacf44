import MediaTypes

/// The uncompressed header of a key frame of VP9 (VP9 Bitstream & Decoding Process Specification, section 6.2), and its
/// `vpcC` box ("VP Codec ISO Media File Format Binding", version 1.0).
struct VP9Header: Sendable, Equatable {
    var profile: Int
    var bitDepth: Int
    var isRGB: Bool
    var isFullRange: Bool
    var subsamplingX: Int
    var subsamplingY: Int
    /// The bit at which the three stand that tell the matrix.
    private(set) var colorPlace = 0
    /// nil where the frame is cut off before.
    private(set) var size: VideoSize?

    /// nil where the frame is no key frame.
    init?(_ bytes: ArraySlice<UInt8>) {
        var bits = BitReader(bytes.prefix(16))
        guard bits.read(2) == 2, let low = bits.read(1), let high = bits.read(1) else { return nil }
        profile = high << 1 | low
        if profile == 3, !bits.skip(1) { return nil }
        // No frame that is only shown again, a key frame, with the code that begins each.
        guard bits.read(1) == 0, bits.read(1) == 0, bits.skip(2), bits.read(24) == 0x498342 else { return nil }
        bitDepth = 8
        if profile >= 2 {
            guard let isDeep = bits.readFlag() else { return nil }
            bitDepth = isDeep ? 12 : 10
        }
        colorPlace = bits.position
        guard let space = bits.read(3) else { return nil }
        isRGB = space == 7
        (isFullRange, subsamplingX, subsamplingY) = (true, 0, 0)
        // RGB has the whole range and all its samples.
        if !isRGB {
            guard let range = bits.readFlag() else { return nil }
            (isFullRange, subsamplingX, subsamplingY) = (range, 1, 1)
            if profile & 1 == 1 {
                guard let x = bits.read(1), let y = bits.read(1) else { return nil }
                (subsamplingX, subsamplingY) = (x, y)
            }
        }
        // A bit is reserved where the samples of color were told.
        guard profile & 1 == 0 || bits.skip(1), let width = bits.read(16), let height = bits.read(16) else { return }
        size = VideoSize(width + 1, height + 1)
    }

    /// - Parameter colour: What the container says.
    func configuration(level: UInt8, colour: ColorInformation?) throws(MovieFileError) -> Box {
        try Box(full: "vpcC", version: 1) { (writer: inout ByteWriter) in
            writer.append(UInt8(profile))
            writer.append(level)
            // 1 is 4:2:0 whose colours lie with the upper left of four samples; 2 is 4:2:2, 3 is 4:4:4.
            let chroma: UInt8 = subsamplingX == 0 ? 3 : subsamplingY == 0 ? 2 : 1
            writer.append(UInt8(bitDepth) << 4 | chroma << 1 | (isFullRange ? 1 : 0))
            // 2 is "not told"; RGB has no matrix.
            writer.append(UInt8(clamping: colour?.primaries ?? 2))
            writer.append(UInt8(clamping: colour?.transfer ?? 2))
            writer.append(UInt8(clamping: isRGB ? 0 : colour?.matrix ?? 2))
            writer.append(UInt16(0))
        }
    }

    /// The lowest level that allows it (WebM Project, "VP9 Levels"): ten times its number.
    ///
    /// - Parameters:
    ///   - frameSize: In pixels.
    ///   - rate: Of the frames, in a second.
    static func level(frameSize: Int, rate: Double) -> UInt8 {
        let levels: [(level: UInt8, rate: Double, size: Int)] = [
            (10, 829_440, 36_864), (11, 2_764_800, 73_728), (20, 4_608_000, 122_880), (21, 9_216_000, 245_760),
            (30, 20_736_000, 552_960), (31, 36_864_000, 983_040), (40, 83_558_400, 2_228_224),
            (41, 160_432_128, 2_228_224), (50, 311_951_360, 8_912_896), (51, 588_251_136, 8_912_896),
            (52, 1_176_502_272, 8_912_896), (60, 1_176_502_272, 35_651_584), (61, 2_353_004_544, 35_651_584),
        ]
        return levels.first { Double(frameSize) * rate <= $0.rate && frameSize <= $0.size }?.level ?? 62
    }
}
