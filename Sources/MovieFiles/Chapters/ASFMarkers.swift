import MediaTypes
package import SystemPackage

/// The chapters of Windows Media (.wma, .wmv): the Marker Object in the head of the file (Advanced Systems Format, section 3.7).
package enum ASFMarkers {
    /// Reads a file's head; empty where it has none, or one without chapters. Blocks.
    ///
    /// - Throws: `system`.
    package static func read(_ path: FilePath) throws(MovieFileError) -> [MovieInfo.Chapter] {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in try chapters(file) }
    }

    /// More chapters than anybody makes.
    private static let maximumCount = 10_000

    /// The identifier of the object, as it lies in files.
    private static let marker = "01CD87F4-51A9-CF11-8EE6-00C00C205365"

    private static func chapters(_ file: ReadableFile) throws(MovieFileError) -> [MovieInfo.Chapter] {
        guard let header = try ASFHeader(file) else { return [] }
        let preroll = header[ASFHeader.properties].flatMap { number($0.dropFirst(56), 8) } ?? 0
        return chapters(header[marker] ?? [], preroll: min(preroll, 1 << 32) * .millisecond)
            .sorted { $0.start < $1.start }
    }

    /// - Parameter preroll: by how much all times in the file are later than they are presented.
    private static func chapters(_ data: ArraySlice<UInt8>, preroll: MediaTime) -> [MovieInfo.Chapter] {
        // An identifier, how many there are, two bytes for nothing, and a name for all.
        guard let count = number(data.dropFirst(16), 4), let nameSize = number(data.dropFirst(22), 2) else { return [] }
        var (rest, chapters) = (data.dropFirst(24 + nameSize), [MovieInfo.Chapter]())
        for _ in 0..<min(count, maximumCount) {
            // In 100 nanoseconds; before it the place in the file, behind it what servers need, then letters of the title.
            guard let time = number(rest.dropFirst(8), 8), time < 1 << 56, let length = number(rest.dropFirst(26), 4),
                length <= rest.count
            else { break }
            let text = rest.dropFirst(30).prefix(2 * length)
            chapters.append(
                MovieInfo.Chapter(
                    start: max(.zero, MediaTime(ticks: UInt64(time), timescale: 10_000_000) - preroll),
                    title: ASFHeader.text(text)))
            rest = rest.dropFirst(30 + text.count)
        }
        return chapters
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ count: Int) -> Int? { ASFHeader.number(bytes, count) }
}
