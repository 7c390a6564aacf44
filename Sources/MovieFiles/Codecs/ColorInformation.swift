/// Which colours the numbers of a frame mean (ISO/IEC 23091-2; ITU-T H.273).
struct ColorInformation: Sendable, Equatable {
    var primaries: UInt16 = 2
    var transfer: UInt16 = 2
    var matrix: UInt16 = 2
    /// Whether the whole range of numbers is used; nil where that is not told.
    var isFullRange: Bool?

    init(primaries: UInt16, transfer: UInt16, matrix: UInt16, isFullRange: Bool?) {
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

    var primariesName: String? {
        switch primaries {
        case 1: "bt709"
        case 4: "bt470m"
        case 5: "bt470bg"
        case 6: "smpte170m"
        case 7: "smpte240m"
        case 8: "film"
        case 9: "bt2020"
        case 10: "smpte428"
        case 11: "smpte431"
        case 12: "smpte432"
        case 22: "ebu3213"
        default: nil
        }
    }

    var transferName: String? {
        switch transfer {
        case 1: "bt709"
        case 4: "bt470m"
        case 5: "bt470bg"
        case 6: "smpte170m"
        case 7: "smpte240m"
        case 8: "linear"
        case 9: "log100"
        case 10: "log316"
        case 11: "iec61966-2-4"
        case 12: "bt1361e"
        case 13: "iec61966-2-1"
        case 14: "bt2020-10"
        case 15: "bt2020-12"
        case 16: "smpte2084"
        case 17: "smpte428"
        case 18: "arib-std-b67"
        default: nil
        }
    }

    var matrixName: String? {
        switch matrix {
        case 0: "gbr"
        case 1: "bt709"
        case 4: "fcc"
        case 5: "bt470bg"
        case 6: "smpte170m"
        case 7: "smpte240m"
        case 8: "ycgco"
        case 9: "bt2020nc"
        case 10: "bt2020c"
        case 11: "smpte2085"
        case 12: "chroma-derived-nc"
        case 13: "chroma-derived-c"
        case 14: "ictcp"
        default: nil
        }
    }

    var rangeName: String? {
        isFullRange.map { $0 ? "full" : "limited" }
    }
}
