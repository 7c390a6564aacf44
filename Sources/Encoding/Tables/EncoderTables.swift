package import Errors
import GStreamer
import Workarounds

/// All encoder tables.
package struct EncoderTables: Sendable {
    /// By the codec's name on the command line.
    private let tables: [String: EncoderTable]

    /// Reads every table.
    ///
    /// - Throws: ``GStreamerError`` or ``RushesError`` naming the file that is missing or wrong.
    package init(_ files: PipelineFiles) throws {
        var tables: [String: EncoderTable] = [:]
        for codec in Self.codecs { tables[codec] = try files.encoderTable(codec) }
        self.tables = tables
    }

    /// The names of all codecs that have a table.
    static var codecs: [String] {
        VideoCodec.tabulated.map(\.rawValue)
            + AudioCodec.allCases.filter { $0 != .none }.map(\.rawValue)
    }

    /// The table of a codec.
    ///
    /// - Throws: ``RushesError`` for `copy`, which has none.
    package func table(for codec: VideoCodec) throws(RushesError) -> EncoderTable { try table(codec.rawValue) }
    /// The table of a codec.
    ///
    /// - Throws: ``RushesError`` for `none`, which has none.
    package func table(for codec: AudioCodec) throws(RushesError) -> EncoderTable { try table(codec.rawValue) }

    func table(_ codec: String) throws(RushesError) -> EncoderTable {
        guard let table = tables[codec] else {
            throw RushesError(.noPipelineFiles, "there is no encoder table for \(codec)")
        }
        return table
    }
}

/// Which GStreamer elements there are.
package struct InstalledElements: Sendable {
    private let has: @Sendable (String) -> Bool

    /// - Parameter has: whether there is an element of this name.
    package init(_ has: @escaping @Sendable (String) -> Bool) { self.has = has }

    /// What the machine's registry knows, and Rushes' own. An element of a hardware plugin is there only where the hardware is.
    ///
    /// Made for the first encoder that is looked for, before which no pipeline has any of ours: it starts GStreamer, which a copy may not
    /// need.
    package static let registry: InstalledElements = {
        ProResElement.register()
        DepthElement.register()
        DitherElement.register()
        return InstalledElements { ElementFactory.exists($0) }
    }()

    /// Exactly these.
    package static func these(_ names: String...) -> InstalledElements {
        let names = Set(names)
        return InstalledElements { names.contains($0) }
    }

    /// Whether there is an element of this name.
    package func contains(_ element: String) -> Bool { has(element) }
}
