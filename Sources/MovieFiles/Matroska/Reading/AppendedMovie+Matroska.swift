package import SystemPackage

extension AppendedMovie {
    /// - Returns: nil for a file with one movie, and for other kinds of file.
    /// - Throws: `notAFile`, `system`.
    package init?(readingMatroska path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in
            try MatroskaSegment.isMatroska(file) ? AppendedMovie(matroska: file) : nil
        }
        guard let found else { return nil }
        self = found
    }

    /// Segments of Matroska behind the first (RFC 8794, 8: an EBML document may be followed by others). One whose size is not known ends
    /// where another begins.
    ///
    /// - Returns: nil for a file with one movie.
    init?(matroska file: ReadableFile) throws(MovieFileError) {
        var window = FileWindow(file)
        var (position, count, begin): (UInt64, Int, UInt64?) = (0, 0, nil)
        var durations: [Double?] = []
        while let header = ElementHeader(try window.bytes(ElementHeader.maximumSize, at: position), at: position) {
            let isOpen = header.size == nil
            switch header.id {
            case .ebml where count > 0: begin = begin ?? header.offset
            case .segment:
                count += 1
                if count > 1 {
                    begin = begin ?? header.offset
                    durations.append(try Self.duration(of: header, file))
                }
            default: break
            }
            if isOpen, header.id != .segment, header.id != .cluster { break }
            guard let end = isOpen ? header.dataOffset : header.end, end <= file.size else { break }
            position = end
        }
        guard let begin, !durations.isEmpty else { return nil }
        self.init(from: begin, to: file.size, lasting: durations)
    }

    /// What a segment says before its clusters, in seconds.
    private static func duration(of segment: ElementHeader, _ file: ReadableFile) throws(MovieFileError) -> Double? {
        var (window, position) = (FileWindow(file), segment.dataOffset)
        while let header = ElementHeader(try window.bytes(ElementHeader.maximumSize, at: position), at: position),
            header.id != .cluster, let end = header.end, end <= file.size
        {
            if header.id == .info, end - header.dataOffset < 1 << 20 {
                let bytes = try file.read(upTo: Int(end - header.dataOffset), at: header.dataOffset)
                guard let info = try? Elements(bytes[...]), let ticks = info.float(.duration), ticks > 0 else {
                    return nil
                }
                return ticks * Double(info.unsigned(.timestampScale) ?? 1_000_000) / 1e9
            }
            position = end
        }
        return nil
    }
}
