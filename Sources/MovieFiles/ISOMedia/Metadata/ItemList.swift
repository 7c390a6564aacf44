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

    /// What a value is.
    enum Form {
        case text
        /// A number and how many there are, "3/12" or "3".
        case place
        case number
    }

    /// A text, in UTF-8.
    static func item(_ type: FourCC, text: String) throws(MovieFileError) -> Box {
        try item(type, kind: 1, Array(text.utf8))
    }

    /// - Returns: nil where the text says no such thing.
    static func item(_ type: FourCC, text: String, as form: Form) throws(MovieFileError) -> Box? {
        switch form {
        case .text: return try item(type, text: text)
        case .place:
            let numbers = text.split(separator: "/").map { UInt16($0.trimmingCharacters(in: .whitespaces)) }
            guard numbers.count == 1 || numbers.count == 2, let number = numbers[0] else { return nil }
            let count = numbers.count == 2 ? numbers[1] ?? 0 : 0
            // Of a track two bytes follow that a disc has not.
            return try item(type, kind: 0, [0, 0] + number.bytes + count.bytes + (type == "trkn" ? [0, 0] : []))
        case .number:
            guard let number = UInt32(text.trimmingCharacters(in: .whitespaces)) else { return nil }
            return try item(type, kind: 21, UInt16(number >> 16).bytes + UInt16(number & 0xFFFF).bytes)
        }
    }

    /// - Parameter kind: the well-known type: 1 is UTF-8, 21 a number, 0 what the item's own type says. There is no locale.
    private static func item(_ type: FourCC, kind: UInt32, _ bytes: [UInt8]) throws(MovieFileError) -> Box {
        try Box(type) { (writer: inout ByteWriter) throws(MovieFileError) in
            try writer.box("data") { (writer: inout ByteWriter) in
                writer.append(kind)
                writer.append(UInt32(0))
                writer.append(contentsOf: bytes)
            }
        }
    }

    /// The value of an item as a text; nil where it holds none of that form.
    static func text(_ item: Box, _ form: Form = .text) -> String? {
        guard
            let data = try? Box.boxes(in: item.payload, at: item.payloadOffset).boxes.first(where: { $0.type == "data" }
            ),
            let kind = UInt32(bigEndianBytes: data.payload.prefix(4)).map({ $0 & 0xFF_FFFF })
        else { return nil }
        let value = data.payload.dropFirst(8)
        switch form {
        case .text: return kind == 1 ? String(bytes: value, encoding: .utf8) : nil
        case .place:
            guard let number = UInt16(bigEndianBytes: value.dropFirst(2).prefix(2)), number > 0 else { return nil }
            let count = UInt16(bigEndianBytes: value.dropFirst(4).prefix(2)) ?? 0
            return count > 0 ? "\(number)/\(count)" : "\(number)"
        case .number:
            guard (1...4).contains(value.count) else { return nil }
            return "\(value.reduce(0) { $0 << 8 | UInt32($1) })"
        }
    }

    var box: Box { Box("ilst", children: items) }
}

extension UInt16 {
    fileprivate var bytes: [UInt8] { [UInt8(self >> 8), UInt8(self & 0xFF)] }
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
