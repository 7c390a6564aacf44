/// All encoder tables.
package struct EncoderTables: Sendable {
    /// By the codec's name on the command line.
    private let tables: [String: EncoderTable]

    /// Reads every table.
    ///
    /// - Throws: ``GStreamerError`` or ``MovieEncodingError`` naming the file that is missing or wrong.
    package init(_ files: PipelineFiles) throws {
        ProResElement.register()
        DepthElement.register()
        var tables: [String: EncoderTable] = [:]
        for codec in Self.codecs { tables[codec] = try files.encoderTable(codec) }
        self.tables = tables
    }

    /// The names of all codecs that have a table.
    static var codecs: [String] {
        VideoCodec.allCases.filter { $0 != .copy }.map(\.rawValue)
            + AudioCodec.allCases.filter { $0 != .none }.map(\.rawValue)
    }

    /// The table of a codec.
    ///
    /// - Throws: ``MovieEncodingError`` for `copy`, which has none.
    package func table(for codec: VideoCodec) throws(MovieEncodingError) -> EncoderTable { try table(codec.rawValue) }
    /// The table of a codec.
    ///
    /// - Throws: ``MovieEncodingError`` for `none`, which has none.
    package func table(for codec: AudioCodec) throws(MovieEncodingError) -> EncoderTable { try table(codec.rawValue) }

    func table(_ codec: String) throws(MovieEncodingError) -> EncoderTable {
        guard let table = tables[codec] else {
            throw MovieEncodingError(.noPipelineFiles, "there is no encoder table for \(codec)")
        }
        return table
    }
}
