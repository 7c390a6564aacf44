extension SampleEntry {
    /// Gives the description of frames the form of the other kind of file.
    mutating func convertFrames(to fileType: MovieFileType) throws(MovieFileError) {
        if fileType == .mp4 {
            // QuickTime's version, vendor and qualities are reserved in ISO files.
            var writer = ByteWriter()
            writer.append(contentsOf: fields.prefix(8))
            writer.append(contentsOf: repeatElement(0, count: 16))
            writer.append(contentsOf: fields.dropFirst(24))
            fields = writer.bytes[...]
            // QuickTime may end its list with a zero.
            if trailer.allSatisfy({ $0 == 0 }) { trailer = [] }
        }
        for index in extensions.indices where extensions[index].type == "colr" {
            try convertColor(at: index, to: fileType)
        }
    }

    /// `colr`: QuickTime's `nclc` is ISO's `nclx` without the range (QuickTime File Format, "Color Parameter Atoms").
    private mutating func convertColor(at index: Int, to fileType: MovieFileType) throws(MovieFileError) {
        let box = extensions[index]
        guard var colour = try ColorInformation(box) else { return }
        // A full range stays in the form that can tell it, which QuickTime's readers take too.
        if fileType == .mov, colour.isFullRange != false { return }
        if fileType == .mp4, colour.isFullRange != nil { return }
        if fileType == .mp4 { colour.isFullRange = try VideoFormat(self).colour?.isFullRange }
        extensions[index] = try colour.box(for: fileType)
    }
}

extension ColorInformation {
    /// `colr`, in the form of a kind of file: QuickTime's (`nclc`) has no range, so a full one is told in ISO's, which its readers take too.
    func box(for fileType: MovieFileType) throws(MovieFileError) -> Box {
        let isISO = fileType == .mp4 || isFullRange == true
        return try Box("colr") { (writer: inout ByteWriter) in
            writer.append(FourCC(isISO ? "nclx" : "nclc"))
            writer.append(table: [primaries, transfer, matrix])
            if isISO { writer.append(UInt8(isFullRange == true ? 0x80 : 0)) }
        }
    }
}

extension SampleEntry {
    /// Says what the colors of its frames are, in the place of what it says.
    mutating func write(_ color: ColorInformation, for fileType: MovieFileType) throws(MovieFileError) {
        extensions.removeAll { box in
            box.type == "colr" && ((try? ColorInformation(box)) ?? nil) != nil
        }
        extensions.append(try color.box(for: fileType))
    }

    /// A description of timed text (3GPP TS 26.245 section 5.16): white, centred at the bottom, sans-serif.
    ///
    /// QuickTime's own text has the same samples, a length and the text, but describes them in another way.
    ///
    /// - Parameter dataReference: The fields that every sample entry begins with.
    static func timedText(dataReference: ArraySlice<UInt8>) throws(MovieFileError) -> SampleEntry {
        let font = "Sans-Serif"
        let box = try Box("tx3g") { (writer: inout ByteWriter) throws(MovieFileError) in
            writer.append(contentsOf: dataReference.prefix(8))
            writer.append(UInt32(0))
            writer.append(UInt8(1))
            writer.append(Int8(-1))
            writer.append(UInt32(0))
            writer.append(UInt64(0))
            // The style: of no characters in particular, font 1, 18 points.
            writer.append(UInt32(0))
            writer.append(UInt16(1))
            writer.append(UInt8(0))
            writer.append(UInt8(18))
            writer.append(UInt32.max)
            try writer.box("ftab") { (writer: inout ByteWriter) in
                writer.append(UInt16(1))
                writer.append(UInt16(1))
                writer.append(UInt8(font.utf8.count))
                writer.append(contentsOf: font.utf8)
            }
        }
        return SampleEntry(
            format: "tx3g", fileOffset: 0, fields: box.payload, extensions: [], trailer: [])
    }
}
