/// Which colors the numbers of a frame mean (ISO/IEC 23091-2; ITU-T H.273).
package struct ColorInformation: Sendable, Hashable {
    /// Color primaries: 1 is BT.709, 9 is BT.2020, 2 is unspecified.
    package var primaries: UInt16 = 2
    /// Transfer characteristics: 1 is BT.709, 16 is PQ, 18 is HLG, 2 is unspecified.
    package var transfer: UInt16 = 2
    /// Matrix coefficients: 1 is BT.709, 6 is BT.601, 9 is BT.2020, 0 is RGB, 2 is unspecified.
    package var matrix: UInt16 = 2
    /// Whether the whole range of numbers is used; nil where that is not told.
    package var isFullRange: Bool?
    /// Where the chroma of 4:2:0 lies (H.273, `Chroma420SampleLocType`): 0 is left, 1 is center, 2 is top left; nil where that is not told.
    package var chromaLocation: UInt8?

    package init(primaries: UInt16, transfer: UInt16, matrix: UInt16, isFullRange: Bool?) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// Reads `colr` (ISO/IEC 14496-12 section 12.1.5); nil for an ICC profile.
    init?(_ colr: Box) throws(MovieFileError) {
        var reader = ByteReader(colr)
        let kind = try reader.readFourCC()
        guard kind == "nclx" || kind == "nclc" else { return nil }
        primaries = try reader.read()
        transfer = try reader.read()
        matrix = try reader.read()
        // Some writers leave the last byte out.
        if kind == "nclx" { isFullRange = colr.payload.dropFirst(10).first.map { $0 & 0x80 != 0 } }
    }
}

/// The code points' names, as ffmpeg has them.
extension ColorInformation {
    private static let primariesNames: [UInt16: String] = [
        1: "bt709", 4: "bt470m", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 8: "film", 9: "bt2020", 10: "smpte428",
        11: "smpte431", 12: "smpte432", 22: "ebu3213",
    ]
    private static let transferNames: [UInt16: String] = [
        1: "bt709", 4: "bt470m", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 8: "linear", 9: "log100", 10: "log316",
        11: "iec61966-2-4", 12: "bt1361e", 13: "iec61966-2-1", 14: "bt2020-10", 15: "bt2020-12", 16: "smpte2084",
        17: "smpte428", 18: "arib-std-b67",
    ]
    private static let matrixNames: [UInt16: String] = [
        0: "gbr", 1: "bt709", 4: "fcc", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 8: "ycgco", 9: "bt2020nc",
        10: "bt2020c", 11: "smpte2085", 12: "chroma-derived-nc", 13: "chroma-derived-c", 14: "ictcp",
    ]

    package var primariesName: String? { Self.primariesNames[primaries] }
    package var transferName: String? { Self.transferNames[transfer] }
    package var matrixName: String? { Self.matrixNames[matrix] }
    package var rangeName: String? { isFullRange.map { $0 ? "full" : "limited" } }

    /// The code points that ``primariesName``, ``transferName`` and ``matrixName`` tell; 2 for nil, and for a name that is none.
    package init(primaries: String?, transfer: String?, matrix: String?, isFullRange: Bool?) {
        func code(_ name: String?, _ names: [UInt16: String]) -> UInt16 { names.first { $0.value == name }?.key ?? 2 }
        self.init(
            primaries: code(primaries, Self.primariesNames), transfer: code(transfer, Self.transferNames),
            matrix: code(matrix, Self.matrixNames), isFullRange: isFullRange)
    }

    /// What is told of colors in one place, and where nothing is there, in another.
    package func completed(by other: ColorInformation?) -> ColorInformation {
        guard let other else { return self }
        var whole = self
        if primaries == 2 { whole.primaries = other.primaries }
        if transfer == 2 { whole.transfer = other.transfer }
        if matrix == 2 { whole.matrix = other.matrix }
        whole.isFullRange = isFullRange ?? other.isFullRange
        whole.chromaLocation = chromaLocation ?? other.chromaLocation
        return whole
    }

    /// Whether it says anything of primaries, transfer or matrix.
    package var isSpecified: Bool { primaries != 2 || transfer != 2 || matrix != 2 }
}
