package import SystemPackage

extension BitmapHeader {
    /// That of the first video track of an AVI file (Microsoft, "AVI RIFF File Reference": `strf` behind a `strh` of the kind `vids`).
    ///
    /// - Returns: nil of any other file, and of frames without a codec.
    /// - Throws: `notAFile`, `system`.
    package init?(readingAVI path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in try BitmapHeader(avi: file) }
        guard let found else { return nil }
        self = found
    }

    private init?(avi file: ReadableFile) throws(MovieFileError) {
        let head = try file.read(upTo: 24, at: 0)
        guard head.count == 24, head.starts(with: "RIFF".utf8), head[8..<16].elementsEqual("AVI LIST".utf8),
            head[20..<24].elementsEqual("hdrl".utf8)
        else { return nil }
        let end = 20 + WaveChunks.number(head, 16, 4)
        var (place, isVideo) = (UInt64(24), false)
        for _ in 0..<Self.mostChunks where place < end {
            let chunk = try file.read(upTo: 12, at: place)
            guard chunk.count == 12 else { return nil }
            let (name, size) = (chunk.prefix(4), WaveChunks.number(chunk, 4, 4))
            if name.elementsEqual("LIST".utf8), chunk[8..<12].elementsEqual("strl".utf8) {
                // What is in it comes next.
                place += 12
                continue
            }
            if name.elementsEqual("strh".utf8) { isVideo = chunk[8..<12].elementsEqual("vids".utf8) }
            if isVideo, name.elementsEqual("strf".utf8) {
                self.init(try file.read(upTo: min(Int(clamping: size), Self.mostBytes), at: place + 8))
                return
            }
            place += 8 + size + size % 2
        }
        return nil
    }

    /// Of a file's header; a damaged one is not searched for long.
    private static let mostChunks = 10_000
}
