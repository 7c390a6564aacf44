import MediaTypes

/// Reads the fields of a parameter set (ITU-T H.264 and H.265, section 9), without the bytes that prevent start codes.
struct ExpGolombReader {
    struct EndOfData: Error {}

    private var bits: BitReader

    init(_ unit: some Sequence<UInt8>) {
        bits = BitReader(NALUnits.unescaped(unit))
    }

    /// Bits read or skipped so far.
    var position: Int { bits.position }

    mutating func bits(_ count: Int) throws(EndOfData) -> Int {
        guard let value = bits.read(count) else { throw EndOfData() }
        return value
    }

    mutating func flag() throws(EndOfData) -> Bool {
        try bits(1) == 1
    }

    mutating func skip(_ count: Int) throws(EndOfData) {
        guard bits.skip(count) else { throw EndOfData() }
    }

    /// `ue(v)`.
    mutating func unsigned() throws(EndOfData) -> Int {
        var zeros = 0
        while try !flag() {
            zeros += 1
            guard zeros <= 32 else { throw EndOfData() }
        }
        return (1 << zeros) - 1 + (try bits(zeros))
    }

    /// `se(v)`.
    mutating func signed() throws(EndOfData) -> Int {
        let value = try unsigned()
        return value & 1 == 1 ? (value + 1) / 2 : -value / 2
    }

    /// Skips `count` numbers of `ue(v)` or `se(v)`, which take the same room.
    mutating func skipNumbers(_ count: Int) throws(EndOfData) {
        for _ in 0..<count { _ = try unsigned() }
    }

    /// A size without what a flag and four numbers that follow say is not shown: left, right, top and bottom.
    ///
    /// - Parameters:
    ///   - across: what the first two are counted in, in pixels.
    ///   - down: the others.
    mutating func cropped(width: Int, height: Int, across: Int, down: Int) throws(EndOfData) -> VideoSize? {
        var hidden = [0, 0, 0, 0]
        if try flag() { for index in hidden.indices { hidden[index] = try unsigned() } }
        let size = VideoSize(
            width - across * (hidden[0] + hidden[1]), height - down * (hidden[2] + hidden[3]))
        return size.width > 0 && size.height > 0 ? size : nil
    }

    /// Skips the profile, tier and level of HEVC (ITU-T H.265 section 7.3.3), all sub-layers' too.
    mutating func skipProfile(subLayers: Int) throws(EndOfData) {
        try skip(96)
        guard subLayers > 0 else { return }
        var sizes: [Int] = []
        for _ in 0..<subLayers {
            let hasProfile = try flag()
            let hasLevel = try flag()
            sizes.append((hasProfile ? 88 : 0) + (hasLevel ? 8 : 0))
        }
        try skip(2 * (8 - subLayers))
        for size in sizes { try skip(size) }
    }

    /// The colors in the usability information that both codecs begin alike (section E.2.1); nil where it has none.
    ///
    /// - Parameters:
    ///   - place: Becomes where that stands, in bits: from the flag that announces it up to where its chroma lies.
    ///   - shape: Becomes how much wider than high a pixel is, which stands before it; unchanged where it does not.
    mutating func usabilityColors(
        _ place: inout Range<Int>?, shape: inout Fraction?
    ) throws(EndOfData) -> ColorInformation? {
        if try flag() { shape = try pixelShape() ?? shape }
        if try flag() { try skip(1) }
        let start = position
        defer { place = start..<position }
        var color: ColorInformation?
        if try flag() {
            try skip(3)
            var told = ColorInformation(primaries: 2, transfer: 2, matrix: 2, isFullRange: try flag())
            if try flag() {
                told.primaries = UInt16(try bits(8))
                told.transfer = UInt16(try bits(8))
                told.matrix = UInt16(try bits(8))
            }
            color = told
        }
        if try flag() {
            let location = try unsigned()
            try skipNumbers(1)
            color?.chromaLocation = UInt8(exactly: location)
        }
        return color
    }

    /// `aspect_ratio_idc` and what it may have behind it (table E-1).
    private mutating func pixelShape() throws(EndOfData) -> Fraction? {
        let kind = try bits(8)
        if kind == 255 {
            let (across, down) = (try bits(16), try bits(16))
            return across > 0 && down > 0 ? Fraction(across, down) : nil
        }
        return Self.pixelShapes.indices.contains(kind - 1) ? Self.pixelShapes[kind - 1] : nil
    }

    private static let pixelShapes = [
        Fraction(1), Fraction(12, 11), Fraction(10, 11), Fraction(16, 11), Fraction(40, 33), Fraction(24, 11),
        Fraction(20, 11), Fraction(32, 11), Fraction(80, 33), Fraction(18, 11), Fraction(15, 11), Fraction(64, 33),
        Fraction(160, 99), Fraction(4, 3), Fraction(3, 2), Fraction(2),
    ]
}
