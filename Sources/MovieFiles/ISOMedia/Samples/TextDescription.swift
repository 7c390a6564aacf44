import MediaTypes

/// The boxes of a QuickTime text track that are the same in each (QuickTime File Format, "Text Media").
enum TextDescription {
    /// A text header with the matrix that QuickTime wants there.
    static func mediaHeader() throws(MovieFileError) -> Box {
        try Box("text") { (writer: inout ByteWriter) in
            writer.append(contentsOf: TransformationMatrix(.upright, width: 0, height: 0).bytes)
        }
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
