import Foundation

/// The items of an `ilst` box: type and value, each value a `data` box with its kind.
///
/// In QuickTime metadata the type is the number of a key, in an MP4's a four-character code.
struct ItemList: Sendable {
    var items: [Box]

    init(items: [Box] = []) {
        self.items = items
    }

    init(_ ilst: Box) throws(MovieFileError) {
        items = try Box.boxes(in: ilst.payload, at: ilst.payloadOffset).boxes
    }

    /// Covers: images in `data` boxes.
    static let artwork: FourCC = "covr"

    /// `data` with well-known type 1, UTF-8, and no locale.
    static func item(_ type: FourCC, text: String) throws(MovieFileError) -> Box {
        try Box(type) { (writer: inout ByteWriter) throws(MovieFileError) in
            try writer.box("data") { (writer: inout ByteWriter) in
                writer.append(UInt32(1))
                writer.append(UInt32(0))
                writer.append(contentsOf: text.utf8)
            }
        }
    }

    /// The text of an item; nil where it holds no text.
    static func text(_ item: Box) -> String? {
        guard
            let data = try? Box.boxes(in: item.payload, at: item.payloadOffset).boxes.first(where: { $0.type == "data" }
            ),
            let kind = UInt32(bigEndianBytes: data.payload.prefix(4)), kind & 0xFF_FFFF == 1
        else { return nil }
        return String(bytes: data.payload.dropFirst(8), encoding: .utf8)
    }

    var box: Box { Box("ilst", children: items) }
}

/// The parts of a `meta` box, which is a full box in ISO files (section 8.11.1) and a plain one in QuickTime's.
struct MetaBox: Sendable {
    var isFull: Bool
    var handler: FourCC?
    var children: [Box]

    init(_ meta: Box) throws(MovieFileError) {
        // Writers have mixed the two up ever since; what tells them apart is where the handler box begins.
        isFull = meta.payload.dropFirst(4).prefix(4).elementsEqual([0x68, 0x64, 0x6C, 0x72]) == false
        let start = isFull ? 4 : 0
        // Editors of tags have left the end of an older one behind the items.
        children = Box.wholeBoxes(in: meta.payload.dropFirst(start), at: meta.payloadOffset + UInt64(start))
        handler = try children.first { $0.type == "hdlr" }?.handlerType()
    }

    /// A new one with this handler.
    init(handler: FourCC, manufacturer: FourCC? = nil, isFull: Bool) throws(MovieFileError) {
        self.isFull = isFull
        self.handler = handler
        children = [
            try Box(full: "hdlr") { (writer: inout ByteWriter) in
                writer.append(UInt32(0))
                writer.append(handler)
                writer.append(manufacturer?.rawValue ?? 0)
                writer.append(UInt64(0))
                writer.append(UInt8(0))
            }
        ]
    }

    subscript(type: FourCC) -> Box? {
        get { children.first { $0.type == type } }
        set {
            let index = children.firstIndex { $0.type == type }
            switch (index, newValue) {
            case (let index?, let box?): children[index] = box
            case (let index?, nil): children.remove(at: index)
            case (nil, let box?): children.append(box)
            case (nil, nil): break
            }
        }
    }

    func box() throws(MovieFileError) -> Box {
        try Box("meta") { (writer: inout ByteWriter) throws(MovieFileError) in
            if isFull { writer.append(UInt32(0)) }
            for child in children { try child.write(to: &writer) }
        }
    }
}
