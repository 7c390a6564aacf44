/// The end of a FLAC file whose head does not say how long it is, as streams are written that nobody goes back in: its last frame counts what
/// came before it.
enum FLACEnd {
    /// Hardly any frame is longer, in bytes.
    private static let searched: UInt64 = 1 << 20
    /// What old tags (ID3v1) add behind it.
    private static let tagSize = 128

    /// - Parameter head: the beginning of the file, with its STREAMINFO.
    /// - Returns: samples of a channel, and how many a second; nil where the file does not end with a whole frame.
    static func count(_ file: ReadableFile, _ head: [UInt8]) throws(MovieFileError) -> (samples: UInt64, rate: Int)? {
        let begin = file.size - min(file.size, searched)
        var bytes = try file.read(upTo: Int(file.size - begin), at: begin)
        if bytes.suffix(tagSize).starts(with: "TAG".utf8) { bytes.removeLast(tagSize) }
        for place in bytes.indices.dropLast(FLACFrame.longestHead).reversed() where bytes[place] == 0xFF {
            // The checksum of a whole frame with its own is 0.
            guard let frame = FLACFrame(bytes[place...]), bytes[place...].reduce(0, CRC.sixteen) == 0 else { continue }
            let block = UInt64(head[10]) << 8 | UInt64(head[11])
            let (before, isTooMany) = frame.number.multipliedReportingOverflow(by: frame.countsSamples ? 1 : block)
            let rate = frame.sampleRate ?? FLACStreamInfo.rate(head)
            guard !isTooMany, rate > 0, before < FLACStreamInfo.maximumCount else { return nil }
            return (before + UInt64(frame.blockSize), rate)
        }
        return nil
    }
}
