package import SystemPackage

extension AppendedMovie {
    /// - Returns: nil for a file with one movie, and for other kinds of file.
    /// - Throws: `notAFile`, `system`.
    package init?(readingAVI path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in try AppendedMovie(avi: file) }
        guard let found else { return nil }
        self = found
    }

    /// Whole files of AVI behind the first. What one continues with beyond a gigabyte is called `AVIX` (OpenDML, "AVI File Format Extensions").
    ///
    /// - Returns: nil for a file with one movie.
    private init?(avi file: ReadableFile) throws(MovieFileError) {
        var (place, begin): (UInt64, UInt64?) = (0, nil)
        var durations: [Double?] = []
        while true {
            let head = try file.read(upTo: Self.headSize, at: place)
            guard head.count > 12, head.starts(with: "RIFF".utf8) else { break }
            if head.dropFirst(8).starts(with: "AVI ".utf8), place > 0 {
                begin = begin ?? place
                durations.append(Self.duration(head))
            }
            let size = WaveChunks.number(head, 4, 4)
            // Of one that nobody completed it is 0.
            guard size > 4 else { break }
            place += 8 + size + size % 2
        }
        guard let begin else { return nil }
        self.init(from: begin, to: file.size, lasting: durations)
    }

    /// Up to the number of frames in the main header, which comes first.
    private static let headSize = 64

    /// In seconds; nil where the main header does not say.
    private static func duration(_ head: [UInt8]) -> Double? {
        guard head.count == headSize, head.dropFirst(24).starts(with: "avih".utf8) else { return nil }
        let (length, count) = (WaveChunks.number(head, 32, 4), WaveChunks.number(head, 48, 4))
        return length > 0 && count > 0 ? Double(length) * Double(count) / 1e6 : nil
    }
}
