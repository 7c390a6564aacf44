import MediaTypes
package import SystemPackage

extension TimeCode {
    /// The time code of a QuickTime or MP4 file's first frame, as its track of time codes tells; nil where it has none.
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
            // A part of a movie may begin within a sample, or with a later one.
            let begin = try trak.firstPresented
            let place: (offset: UInt64, time: UInt64)? =
                if let fragments = contents.fragments {
                    fragments.tracks.first { $0.trackID == trackID }?.samples.chunks.first.map { ($0.offset, 0) }
                } else {
                    try SampleLocations(stbl, limit: searched).samples.last { $0.decodeTime <= begin }
                        .map { ($0.offset, $0.decodeTime) }
                }
            guard let entry = try Box.boxes(in: stsd.payload.dropFirst(8), at: stsd.payloadOffset + 8).boxes.first,
                let place
            else { continue }
            let number = try file.read(upTo: 4, at: place.offset)
            let timescale = try TimeHeader(try mdia.required("mdhd")).timescale
            return TimeCode(entry, frameNumber: UInt32(bigEndianBytes: number[...]) ?? 0)?
                .advanced(
                    by: MediaTime(seconds: Double(begin - min(begin, place.time)) / Double(max(1, timescale))),
                    isUnderWay: true)
        }
        return nil
    }

    /// How many samples are searched for the first one that is presented: more than a camera that counts only while it records writes in a day.
    private static let searched = 10_000

    /// From a time code sample description (QuickTime File Format, "Timecode Sample Description").
    init?(_ entry: Box, frameNumber: UInt32) {
        // Behind the data reference: reserved, flags, timescale, frame duration, frames a second.
        func word(_ offset: Int) -> UInt32? { UInt32(bigEndianBytes: entry.payload.dropFirst(offset).prefix(4)) }
        guard entry.type == "tmcd", let flags = word(12), let timescale = word(16), let duration = word(20) else {
            return nil
        }
        self.init(
            frameNumber: frameNumber, rateNumerator: timescale, rateDenominator: duration, isDropFrame: flags & 1 != 0)
    }
}
