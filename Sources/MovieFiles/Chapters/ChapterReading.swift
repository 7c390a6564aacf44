import MediaTypes

/// Reads the chapters of a movie: those of a chapter track, else the `chpl` list.
struct ChapterReading {
    let file: ReadableFile

    /// More chapters than anybody makes.
    private static let maximumCount = 10_000
    /// Of tracks whose samples are titles.
    static let handlers: Set<FourCC> = ["text", "sbtl"]

    func chapters(_ moov: Box) throws(MovieFileError) -> [MovieInfo.Chapter] {
        let ids = try moov.chapterTrackIDs()
        for trak in moov.all("trak") where try ids.contains(TrackHeader(try trak.required("tkhd")).trackID) {
            let mdia = try trak.required("mdia")
            guard Self.handlers.contains(try mdia.required("hdlr").handlerType()) else { continue }
            // Nothing is shown until the first chapter.
            let delay = try trak.descendant("edts", "elst").flatMap { (box) throws(MovieFileError) in
                try EditList(box).edits.first.flatMap { $0.mediaTime == nil ? $0.duration : nil }
            }
            let timescale = try TimeHeader(try moov.required("mvhd")).timescale
            return try chapters(inTrack: mdia, delay: MediaTime(ticks: delay ?? 0, timescale: timescale))
        }
        // What is no list there is no reason not to read the movie.
        return moov.descendant("udta", "chpl").flatMap { try? Self.nero($0) } ?? []
    }

    private func chapters(inTrack mdia: Box, delay: MediaTime) throws(MovieFileError) -> [MovieInfo.Chapter] {
        let timescale = try TimeHeader(try mdia.required("mdhd")).timescale
        let stbl = try mdia.required("minf").required("stbl")
        var chapters: [MovieInfo.Chapter] = []
        for sample in try SampleLocations(stbl, limit: Self.maximumCount).samples {
            let bytes = try file.read(upTo: min(Int(sample.size), 65_537), at: sample.offset)
            let title = String(decoding: TextSample.text(bytes), as: UTF8.self)
            chapters.append(
                .init(start: delay + MediaTime(ticks: sample.decodeTime, timescale: timescale), title: title))
        }
        return chapters
    }

    static func nero(_ chpl: Box) throws(MovieFileError) -> [MovieInfo.Chapter] {
        var reader = ByteReader(chpl)
        if try reader.readVersionAndFlags().version > 0 { try reader.skip(4) }
        let count: UInt8 = try reader.read()
        var chapters: [MovieInfo.Chapter] = []
        for _ in 0..<count {
            let start: UInt64 = try reader.read()
            let length: UInt8 = try reader.read()
            let title = String(decoding: try reader.readBytes(Int(length)), as: UTF8.self)
            chapters.append(.init(start: MediaTime(ticks: start, timescale: 10_000_000), title: title))
        }
        return chapters
    }
}
