extension SampleEntry {
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
