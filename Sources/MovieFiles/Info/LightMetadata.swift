/// The display that a video was mastered on (SMPTE ST 2086): a part of what is called HDR10.
package struct MasteringDisplay: Codable, Hashable, Sendable {
    /// A place in CIE 1931's diagram.
    package struct Chromaticity: Codable, Hashable, Sendable {
        package var x: Double
        package var y: Double

        package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    }

    package var red: Chromaticity
    package var green: Chromaticity
    package var blue: Chromaticity
    package var whitePoint: Chromaticity
    /// In candela a square metre.
    package var maximumLuminance: Double
    /// In candela a square metre.
    package var minimumLuminance: Double

    package init(
        red: Chromaticity, green: Chromaticity, blue: Chromaticity, whitePoint: Chromaticity, maximumLuminance: Double,
        minimumLuminance: Double
    ) {
        (self.red, self.green, self.blue, self.whitePoint) = (red, green, blue, whitePoint)
        (self.maximumLuminance, self.minimumLuminance) = (maximumLuminance, minimumLuminance)
    }

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

    /// `mdcv`; what its steps cannot tell is rounded, and what lies beyond is the nearest that they can.
    func box() throws(MovieFileError) -> Box {
        let places = [green, blue, red, whitePoint].flatMap { [$0.x, $0.y] }
        let light = [maximumLuminance, minimumLuminance]
        return try Box("mdcv") { (writer: inout ByteWriter) in
            writer.append(table: places.map { UInt16(clamping: Self.steps($0, 50_000)) })
            writer.append(table: light.map { UInt32(clamping: Self.steps($0, 10_000)) })
        }
    }

    private static func steps(_ value: Double, _ count: Double) -> Int64 {
        Int64(min(max(value * count, 0), 1e15).rounded())
    }
}

/// How bright a video is at most (CTA-861.3), in candela a square metre; 0 where that is not known.
package struct ContentLight: Codable, Hashable, Sendable {
    /// Of a pixel (MaxCLL).
    package var maximum: Int
    /// Of a frame on average (MaxFALL).
    package var average: Int

    package init(maximum: Int, average: Int) { (self.maximum, self.average) = (maximum, average) }

    /// Reads `clli` (ISO/IEC 14496-12 section 12.1.8).
    init(_ clli: Box) throws(MovieFileError) {
        var reader = ByteReader(clli)
        let light = try reader.readTable(2, of: UInt16.self)
        (maximum, average) = (Int(light[0]), Int(light[1]))
    }

    func box() throws(MovieFileError) -> Box {
        try Box("clli") { (writer: inout ByteWriter) in
            writer.append(table: [UInt16(clamping: maximum), UInt16(clamping: average)])
        }
    }
}

/// What a video tells of HDR10.
package struct LightMetadata: Hashable, Sendable {
    /// nil where nothing is told.
    package var display: MasteringDisplay?
    /// nil where nothing is told.
    package var content: ContentLight?

    package init(display: MasteringDisplay? = nil, content: ContentLight? = nil) {
        (self.display, self.content) = (display, content)
    }
}

extension SampleEntry {
    /// Tells of the light of frames, where the entry does not already.
    mutating func write(_ light: LightMetadata) throws(MovieFileError) {
        if let display = light.display, self["mdcv"] == nil { extensions.append(try display.box()) }
        if let content = light.content, self["clli"] == nil { extensions.append(try content.box()) }
    }
}
