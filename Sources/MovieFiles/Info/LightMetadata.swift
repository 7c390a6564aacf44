/// The display that a video was mastered on (SMPTE ST 2086): a part of what is called HDR10.
package struct MasteringDisplay: Codable, Hashable, Sendable {
    /// A place in CIE 1931's diagram.
    package struct Chromaticity: Codable, Hashable, Sendable {
        package var x: Double
        package var y: Double
    }

    package var red: Chromaticity
    package var green: Chromaticity
    package var blue: Chromaticity
    package var whitePoint: Chromaticity
    /// In candela a square metre.
    package var maximumLuminance: Double
    /// In candela a square metre.
    package var minimumLuminance: Double

    /// Reads `mdcv` (ISO/IEC 14496-12 section 12.1.7): green, blue, red and white in steps of 0.00002, then the brightest and the
    /// darkest light in steps of 0.0001 candela a square metre.
    init(_ mdcv: Box) throws(MovieFileError) {
        var reader = ByteReader(mdcv)
        let places = try reader.readTable(8, of: UInt16.self).map { Double($0) / 50_000 }
        let light = try reader.readTable(2, of: UInt32.self).map { Double($0) / 10_000 }
        func place(_ index: Int) -> Chromaticity { Chromaticity(x: places[2 * index], y: places[2 * index + 1]) }
        (green, blue, red, whitePoint) = (place(0), place(1), place(2), place(3))
        (maximumLuminance, minimumLuminance) = (light[0], light[1])
    }
}

/// How bright a video is at most (CTA-861.3), in candela a square metre; 0 where that is not known.
package struct ContentLight: Codable, Hashable, Sendable {
    /// Of a pixel (MaxCLL).
    package var maximum: Int
    /// Of a frame on average (MaxFALL).
    package var average: Int

    /// Reads `clli` (ISO/IEC 14496-12 section 12.1.8).
    init(_ clli: Box) throws(MovieFileError) {
        var reader = ByteReader(clli)
        let light = try reader.readTable(2, of: UInt16.self)
        (maximum, average) = (Int(light[0]), Int(light[1]))
    }
}
