package import SystemPackage

extension TimeCode {
    /// The time code that a QuickTime or MP4 file's track of time codes begins with; nil where it has none.
    ///
    /// - Throws: `notAMovie`, `invalidBox`, or `system` where the file cannot be read.
    package static func first(in path: FilePath) throws(MovieFileError) -> TimeCode? {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in try first(in: MovieContents(file), file) }
    }

    static func first(in contents: MovieContents, _ file: ReadableFile) throws(MovieFileError) -> TimeCode? {
        for trak in contents.moov.all("trak") {
            let mdia = try trak.required("mdia")
            guard try mdia.required("hdlr").handlerType() == "tmcd" else { continue }
            let stbl = try mdia.required("minf").required("stbl")
            let stsd = try stbl.required("stsd")
            let trackID = try TrackHeader(try trak.required("tkhd")).trackID
            let place =
                if let fragments = contents.fragments {
                    fragments.tracks.first { $0.trackID == trackID }?.samples.chunks.first?.offset
                } else {
                    try SampleLocations(stbl, limit: 1).samples.first?.offset
                }
            guard let entry = try Box.boxes(in: stsd.payload.dropFirst(8), at: stsd.payloadOffset + 8).boxes.first,
                let offset = place
            else { continue }
            let number = try file.read(upTo: 4, at: offset)
            return TimeCode(entry, frameNumber: UInt32(bigEndianBytes: number[...]) ?? 0)
        }
        return nil
    }

    /// From a time code sample description (QuickTime File Format, "Timecode Sample Description").
    private init?(_ entry: Box, frameNumber: UInt32) {
        // Behind the data reference: reserved, flags, timescale, frame duration, frames a second.
        func word(_ offset: Int) -> UInt32? { UInt32(bigEndianBytes: entry.payload.dropFirst(offset).prefix(4)) }
        guard entry.type == "tmcd", let flags = word(12), let timescale = word(16), let duration = word(20) else {
            return nil
        }
        self.init(
            frameNumber: frameNumber, rateNumerator: timescale, rateDenominator: duration, isDropFrame: flags & 1 != 0)
    }
}
