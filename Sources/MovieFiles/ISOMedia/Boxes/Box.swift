/// A box in memory: a container holds boxes, any other one its bytes as they are.
///
/// What is not understood stays byte for byte, so a box that is read, edited and written loses nothing.
struct Box: Sendable {
    var type: FourCC
    /// Where the box begins in the file it was read from, for error messages; 0 for a new one.
    var fileOffset: UInt64
    /// The bytes after the header; of a container, those that follow its last child.
    var payload: ArraySlice<UInt8>
    /// The boxes inside, in order; nil where this is not a container.
    var children: [Box]?
    /// In the file it was read from: 8, or 16 with a 64-bit size.
    var headerSize = 8

    /// Where the payload begins in the file it was read from.
    var payloadOffset: UInt64 { fileOffset + UInt64(headerSize) }
}

extension Box {
    /// Boxes that hold nothing but boxes (ISO/IEC 14496-12 section 6.2.3, QuickTime's `gmhd`).
    static let containers: Set<FourCC> = [
        "moov", "trak", "edts", "mdia", "minf", "gmhd", "stbl", "mvex", "udta", "moof", "traf", "tref",
    ]

    /// More than any real movie has, few enough to stay cheap.
    private static let maximumCount = 65_536
    private static let maximumDepth = 12

    /// Reads the boxes that fill `bytes`, which begin at `fileOffset` in their file.
    ///
    /// `rest` is what follows the last box and is too short to be one: QuickTime ends some lists with a zero.
    ///
    /// - Throws: `invalidBox` where a box reaches beyond its parent, or boxes are too many or too deep.
    static func boxes(
        in bytes: ArraySlice<UInt8>, at fileOffset: UInt64
    ) throws(MovieFileError) -> (boxes: [Box], rest: ArraySlice<UInt8>) {
        var count = 0
        return try boxes(in: bytes, at: fileOffset, depth: 0, count: &count)
    }

    /// Reads the boxes that `bytes` begin with, up to the first that is not valid.
    static func wholeBoxes(in bytes: ArraySlice<UInt8>, at fileOffset: UInt64) -> [Box] {
        if let all = try? boxes(in: bytes, at: fileOffset).boxes { return all }
        var (boxes, rest) = ([Box](), bytes)
        while let size = UInt32(bigEndianBytes: rest.prefix(4)).map({ Int($0) }), size >= 8, size <= rest.count,
            let box = try? Self.boxes(
                in: rest.prefix(size), at: fileOffset + UInt64(rest.startIndex - bytes.startIndex)
            ).boxes.first
        {
            boxes.append(box)
            rest = rest.dropFirst(size)
        }
        return boxes
    }

    /// Reads the one box that `bytes` are.
    init(_ bytes: [UInt8], at fileOffset: UInt64) throws(MovieFileError) {
        guard let box = try Self.boxes(in: bytes[...], at: fileOffset).boxes.first else {
            throw .notAMovie(reason: "there is no box at byte \(fileOffset)")
        }
        self = box
    }

    private static func boxes(
        in bytes: ArraySlice<UInt8>, at fileOffset: UInt64, depth: Int, count: inout Int
    ) throws(MovieFileError) -> (boxes: [Box], rest: ArraySlice<UInt8>) {
        var boxes: [Box] = []
        var rest = bytes
        while rest.count >= 8 {
            let offset = fileOffset + UInt64(rest.startIndex - bytes.startIndex)
            guard let header = try BoxHeader(rest.prefix(BoxHeader.maximumSize), fileOffset: offset) else { break }
            let size = header.size ?? UInt64(rest.count)
            guard size <= UInt64(rest.count) else {
                throw .invalidBox(
                    header.type, offset: offset,
                    reason: "it claims \(size) bytes where its parent has \(rest.count) left")
            }
            count += 1
            guard count <= maximumCount, depth < maximumDepth else {
                throw .invalidBox(header.type, offset: offset, reason: "there are too many boxes, or too deep ones")
            }
            var box = Box(
                type: header.type, fileOffset: offset, payload: rest.prefix(Int(size)).dropFirst(header.headerSize))
            box.headerSize = header.headerSize
            if containers.contains(header.type) {
                let inside = try self.boxes(in: box.payload, at: box.payloadOffset, depth: depth + 1, count: &count)
                box.children = inside.boxes
                box.payload = inside.rest
            }
            boxes.append(box)
            rest = rest.dropFirst(Int(size))
        }
        return (boxes, rest)
    }

    init(_ type: FourCC, children: [Box]) {
        self.init(type: type, fileOffset: 0, payload: [], children: children)
    }

    /// A box whose payload is what `body` writes.
    init(_ type: FourCC, _ body: (inout ByteWriter) throws(MovieFileError) -> Void) throws(MovieFileError) {
        var writer = ByteWriter()
        try body(&writer)
        self.init(type: type, fileOffset: 0, payload: writer.bytes[...])
    }

    /// A box whose payload is a version, flags and what `body` writes.
    init(
        full type: FourCC, version: UInt8 = 0, flags: UInt32 = 0,
        _ body: (inout ByteWriter) throws(MovieFileError) -> Void
    ) throws(MovieFileError) {
        try self.init(type) { (writer: inout ByteWriter) throws(MovieFileError) in
            writer.append(UInt32(version) << 24 | flags)
            try body(&writer)
        }
    }

    func write(to writer: inout ByteWriter) throws(MovieFileError) {
        try writer.box(type) { (writer: inout ByteWriter) throws(MovieFileError) in
            for child in children ?? [] { try child.write(to: &writer) }
            writer.append(contentsOf: payload)
        }
    }

    /// The box as a file holds it.
    func serialized() throws(MovieFileError) -> [UInt8] {
        var writer = ByteWriter()
        try write(to: &writer)
        return writer.bytes
    }
}
