package import SystemPackage

/// HEVC whose frames have a layer that says how opaque they are, as Apple writes it ("HEVC Video with Alpha"): a message beside the parameter sets
/// tells so (ITU-T H.265, F.14.2.8). Neither GStreamer (1.22) nor libavcodec decodes it.
package enum AlphaLayer {
    private static let message: UInt8 = 165
    private static let messageUnit: UInt8 = 39

    /// Of the first video track of QuickTime, MP4 or Matroska. Blocks.
    ///
    /// - Returns: false for any other file.
    package static func isFound(in path: FilePath, isMatroska: Bool) -> Bool {
        let isFound = try? ReadableFile.open(path) { (file) throws(MovieFileError) -> Bool in
            let record = isMatroska ? try matroskaRecord(file) : try movieRecord(file)
            let messages = record?.arrays.filter { $0.kind & 0x3F == messageUnit }.flatMap(\.units) ?? []
            return messages.contains { tells(NALUnits.unescaped($0.dropFirst(2))) }
        }
        return isFound ?? false
    }

    private static func movieRecord(_ file: ReadableFile) throws(MovieFileError) -> ParameterSetRecord? {
        let entry = try MovieContents(file).tracks().first { $0.handler == "vide" }?.entry
        guard let entry, let box = entry["hvcC"] else { return nil }
        return try ParameterSetRecord(.hevc, box)
    }

    private static func matroskaRecord(_ file: ReadableFile) throws(MovieFileError) -> ParameterSetRecord? {
        guard let track = try MatroskaSegment(file, for: .firstFrame).videoTrack, track.codecID == "V_MPEGH/ISO/HEVC"
        else { return nil }
        return try ParameterSetRecord(.hevc, Box(type: "hvcC", fileOffset: 0, payload: track.codecPrivate))
    }

    /// Whether one of a unit's messages does: of each, what it is and its size come first, in bytes of which 255 means that more follow.
    private static func tells(_ unit: [UInt8]) -> Bool {
        var rest = unit[...]
        func number() -> Int? {
            let full = rest.prefix { $0 == 0xFF }.count
            guard let last = rest.dropFirst(full).first else { return nil }
            rest = rest.dropFirst(full + 1)
            return full * 255 + Int(last)
        }
        // A last byte of a bit and zeros fills the unit up.
        while rest.count > 2, let kind = number(), let size = number() {
            if kind == Int(message) { return true }
            rest = rest.dropFirst(size)
        }
        return false
    }
}
