/// Opus whose packets all have the same size, as where it is encoded at a constant rate: the index then says that size once (ISO/IEC 14496-12,
/// 8.7.3), and qtdemux (1.22) takes each byte for a sample, as of PCM. It gives the first few bytes and nothing else.
extension Box {
    /// Whether a `trak` has such audio.
    var hasPacketsOfOneSize: Bool {
        guard let table = descendant("mdia", "minf", "stbl"), let description = table["stsd"],
            let (size, _) = table["stsz"]?.commonSize
        else { return false }
        // Behind version, flags, the number of entries and the size of the first one.
        return size > 0 && description.payload.dropFirst(12).prefix(4).elementsEqual("Opus".utf8)
    }

    /// Lists the size of each packet of a `trak`.
    ///
    /// - Parameter limit: the size of the file, so that a number without sense is not believed.
    mutating func listPacketSizes(within limit: UInt64) throws(MovieFileError) {
        try edit(["mdia", "minf", "stbl", "stsz"]) { (box: inout Box) throws(MovieFileError) in
            guard let (size, count) = box.commonSize, UInt64(size) * UInt64(count) <= limit else { return }
            var writer = ByteWriter()
            writer.append(UInt64(0))
            writer.append(count)
            for _ in 0..<count { writer.append(size) }
            box.payload = writer.bytes[...]
        }
    }

    /// Of all samples of an `stsz`, and how many there are; a size of 0 means that each has its own.
    private var commonSize: (size: UInt32, count: UInt32)? {
        let fields = payload.dropFirst(4)
        guard let size = UInt32(bigEndianBytes: fields.prefix(4)),
            let count = UInt32(bigEndianBytes: fields.dropFirst(4).prefix(4))
        else { return nil }
        return (size, count)
    }
}
