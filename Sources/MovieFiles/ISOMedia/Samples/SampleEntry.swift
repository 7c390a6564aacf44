import MediaTypes

/// One entry of `stsd`: how the samples are coded (ISO/IEC 14496-12 section 8.5.2, QuickTime sample descriptions).
struct SampleEntry: Sendable {
    var format: FourCC
    var fileOffset: UInt64
    /// The fixed fields, which depend on the kind of media and on the version.
    var fields: ArraySlice<UInt8>
    /// The boxes behind them, such as `avcC`, `colr` or `esds`.
    var extensions: [Box]
    /// What follows the last box.
    var trailer: ArraySlice<UInt8>

    subscript(type: FourCC) -> Box? {
        extensions.first { $0.type == type }
    }

    /// Of frames, in pixels; 0 where it does not say.
    var codedSize: VideoSize {
        let numbers = [24, 26].map { UInt16(bigEndianBytes: fields.dropFirst($0).prefix(2)).map(Int.init) ?? 0 }
        return VideoSize(numbers[0], numbers[1])
    }

    func serialized() throws(MovieFileError) -> [UInt8] {
        var writer = ByteWriter()
        try writer.box(format) { (writer: inout ByteWriter) throws(MovieFileError) in
            writer.append(contentsOf: fields)
            for box in extensions { try box.write(to: &writer) }
            writer.append(contentsOf: trailer)
        }
        return writer.bytes
    }
}

extension SampleEntry {
    /// The entries of an `stsd` box of a track with this handler (`vide`, `soun`, …).
    static func entries(of stsd: Box, handler: FourCC) throws(MovieFileError) -> [SampleEntry] {
        var reader = ByteReader(stsd)
        let version = try reader.readVersionAndFlags().version
        let count = Int(try reader.read(UInt32.self))
        let boxes = try Box.boxes(in: reader.remaining, at: stsd.payloadOffset + 8).boxes
        guard boxes.count >= count else {
            throw reader.error("it holds \(boxes.count) sample entries and claims \(count)")
        }
        var entries: [SampleEntry] = []
        for box in boxes.prefix(count) {
            entries.append(try SampleEntry(box, handler: handler, tableVersion: version))
        }
        return entries
    }

    private init(_ box: Box, handler: FourCC, tableVersion: UInt8) throws(MovieFileError) {
        format = box.type
        fileOffset = box.fileOffset
        let length = Self.fieldLength(box, handler: handler, tableVersion: tableVersion)
        guard box.payload.count >= length else {
            throw .invalidBox(box.type, offset: box.fileOffset, reason: "it is too short for a sample entry")
        }
        fields = box.payload.prefix(length)
        let rest = box.payload.dropFirst(length)
        // Formats of old hold more fields than any standard tells; what cannot be read as boxes stays as it is.
        if let inside = try? Box.boxes(in: rest, at: box.payloadOffset + UInt64(length)) {
            (extensions, trailer) = (inside.boxes, inside.rest)
        } else {
            (extensions, trailer) = ([], rest)
        }
    }

    private static func fieldLength(_ box: Box, handler: FourCC, tableVersion: UInt8) -> Int {
        switch handler {
        case "vide": return 78 + colorTableLength(box.payload)
        case "soun":
            let version = UInt16(bigEndianBytes: box.payload.dropFirst(8).prefix(2)) ?? 0
            // Versions 1 and 2 with more fields are QuickTime's; ISO's version 1 has none more and a newer `stsd`.
            return switch (version, tableVersion) {
            case (1, 0): 44
            case (2, 0): 64
            default: 28
            }
        // Without knowledge of the fields, everything but the data reference is opaque.
        default: return min(8, box.payload.count)
        }
    }

    /// How long the colors are behind the fields of frames with up to 256 of them (QuickTime File Format, "Color table ID": 0 where they follow,
    /// with eight bytes before them and for each).
    private static func colorTableLength(_ payload: ArraySlice<UInt8>) -> Int {
        guard let depth = UInt16(bigEndianBytes: payload.dropFirst(74).prefix(2)), [1, 2, 4, 8].contains(depth & 0x1F),
            UInt16(bigEndianBytes: payload.dropFirst(76).prefix(2)) == 0,
            let last = UInt16(bigEndianBytes: payload.dropFirst(84).prefix(2)), last < 256
        else { return 0 }
        let length = 8 + 8 * (Int(last) + 1)
        return payload.count >= 78 + length ? length : 0
    }

    /// The payload of an `stsd` with these entries.
    static func descriptionBox(_ entries: [SampleEntry]) throws(MovieFileError) -> Box {
        try Box(full: "stsd") { (writer: inout ByteWriter) throws(MovieFileError) in
            writer.append(UInt32(truncatingIfNeeded: entries.count))
            for entry in entries { writer.append(contentsOf: try entry.serialized()) }
        }
    }
}

extension Box {
    /// Changes how the samples of this `trak` are described.
    mutating func editSampleEntries(
        _ handler: FourCC, _ change: (inout SampleEntry) throws(MovieFileError) -> Void
    ) throws(MovieFileError) {
        try edit(["mdia", "minf", "stbl", "stsd"]) { (stsd: inout Box) throws(MovieFileError) in
            var entries = try SampleEntry.entries(of: stsd, handler: handler)
            for index in entries.indices { try change(&entries[index]) }
            stsd.payload = try SampleEntry.descriptionBox(entries).payload
        }
    }
}
