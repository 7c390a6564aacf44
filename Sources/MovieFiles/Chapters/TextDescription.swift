/// The boxes of a QuickTime text track that are the same in each (QuickTime File Format, "Text Media").
enum TextDescription {
    static func hdlr() throws(MovieFileError) -> Box {
        try Box(full: "hdlr") { (writer: inout ByteWriter) in
            writer.append(FourCC("mhlr"))
            writer.append(FourCC("text"))
            writer.append(table: [UInt32](repeating: 0, count: 3))
            writer.append(UInt8(0))
        }
    }

    /// The base media header, and a text header with the matrix that QuickTime wants there.
    static func gmhd() throws(MovieFileError) -> Box {
        let gmin = try Box(full: "gmin") { (writer: inout ByteWriter) in
            writer.append(UInt16(0x40))
            writer.append(table: [UInt16](repeating: 0x8000, count: 3))
            writer.append(UInt32(0))
        }
        let text = try Box("text") { (writer: inout ByteWriter) in
            writer.append(contentsOf: TransformationMatrix(.upright, width: 0, height: 0).bytes)
        }
        return Box("gmhd", children: [gmin, text])
    }

    /// All data is in this file (ISO/IEC 14496-12 section 8.7.2).
    static func dinf() throws(MovieFileError) -> Box {
        try Box("dinf") { (writer: inout ByteWriter) throws(MovieFileError) in
            try writer.fullBox("dref") { (writer: inout ByteWriter) throws(MovieFileError) in
                writer.append(UInt32(1))
                try writer.fullBox("url ", flags: 1) { _ in }
            }
        }
    }

    static func stsd() throws(MovieFileError) -> Box {
        try Box(full: "stsd") { (writer: inout ByteWriter) throws(MovieFileError) in
            writer.append(UInt32(1))
            try writer.box("text") { (writer: inout ByteWriter) in
                writer.append(table: [UInt8](repeating: 0, count: 6))
                writer.append(UInt16(1))
                // Display flags, justification, colours, box, style and font: none of them is used for chapters.
                writer.append(table: [UInt8](repeating: 0, count: 43))
            }
        }
    }
}
