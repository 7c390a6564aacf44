import Foundation

/// QuickTime metadata: a list of keys by name, and an item for each (QuickTime File Format, "Metadata Structure").
struct KeyedMetadata: Sendable {
    struct Entry: Sendable {
        /// `mdta` for names like `com.apple.quicktime.make`.
        var namespace: FourCC
        var name: String
        /// What the item holds: `data` boxes, kept as they are.
        var values: ArraySlice<UInt8>
    }

    private(set) var entries: [Entry] = []
    private var meta: MetaBox

    /// No metadata yet. The box is QuickTime's plain one in MP4 too, as phones write it: some readers of keys know no
    /// other form.
    init() throws(MovieFileError) {
        meta = try MetaBox(handler: "mdta", isFull: false)
    }

    /// Reads a `meta` box; nil where it is not one of QuickTime metadata.
    init?(_ box: Box) throws(MovieFileError) {
        meta = try MetaBox(box)
        guard meta.handler == "mdta" else { return nil }
        guard let keys = meta["keys"], let ilst = meta["ilst"] else { return }
        let names = try Self.names(keys)
        for item in try ItemList(ilst).items {
            let index = Int(item.type.rawValue)
            guard names.indices.contains(index - 1) else { continue }
            let (namespace, name) = names[index - 1]
            entries.append(Entry(namespace: namespace, name: name, values: item.payload))
        }
    }

    private static func names(_ keys: Box) throws(MovieFileError) -> [(FourCC, String)] {
        var reader = ByteReader(keys)
        try reader.skip(4)
        let count = Int(try reader.read(UInt32.self))
        guard count <= reader.remaining.count / 8 else {
            throw reader.error("it claims \(count) keys, more than it can hold")
        }
        var names: [(FourCC, String)] = []
        for _ in 0..<count {
            let size = Int(try reader.read(UInt32.self))
            let namespace = try reader.readFourCC()
            names.append((namespace, String(decoding: try reader.readBytes(size - 8), as: UTF8.self)))
        }
        return names
    }

    /// The text under a key of the namespace `mdta`.
    subscript(name: String) -> String? {
        guard let entry = entries.first(where: { $0.name == name && $0.namespace == "mdta" }) else { return nil }
        return ItemList.text(Box(type: "ilst", fileOffset: 0, payload: entry.values))
    }

    /// Sets or, with nil, removes the text under a key.
    mutating func set(_ name: String, to text: String?) throws(MovieFileError) {
        entries.removeAll { $0.name == name && $0.namespace == "mdta" }
        guard let text else { return }
        let item = try ItemList.item("ilst", text: text)
        entries.append(Entry(namespace: "mdta", name: name, values: item.payload))
    }

    func box() throws(MovieFileError) -> Box {
        var meta = meta
        meta["keys"] = try Box(full: "keys") { (writer: inout ByteWriter) in
            writer.append(UInt32(truncatingIfNeeded: entries.count))
            for entry in entries {
                writer.append(UInt32(truncatingIfNeeded: entry.name.utf8.count + 8))
                writer.append(entry.namespace)
                writer.append(contentsOf: entry.name.utf8)
            }
        }
        let items = entries.enumerated().map { index, entry in
            Box(
                type: FourCC(rawValue: UInt32(truncatingIfNeeded: index + 1)), fileOffset: 0, payload: entry.values)
        }
        meta["ilst"] = ItemList(items: items).box
        return try meta.box()
    }
}
