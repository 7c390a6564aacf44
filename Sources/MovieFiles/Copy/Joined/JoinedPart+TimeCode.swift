import MediaTypes

extension JoinedPart {
    /// The number of its first frame, where its track of time codes has no sample that begins with that; nil where it has.
    func timeCodeNumber(_ file: ReadableFile) throws(MovieFileError) -> UInt32? {
        guard timeCodeStart > 0, let timeCode, timeCode.table.count == 1,
            let place = timeCode.table.chunks.first?.offset,
            let stsd = timeCode.trak.descendant("mdia", "minf", "stbl", "stsd"),
            let entry = try Box.boxes(in: stsd.payload.dropFirst(8), at: stsd.payloadOffset + 8).boxes.first,
            let number = UInt32(bigEndianBytes: try file.read(upTo: 4, at: place)[...])
        else { return nil }
        return TimeCode(entry, frameNumber: number)?.advanced(by: MediaTime(seconds: timeCodeStart)).frameNumber
    }
}
