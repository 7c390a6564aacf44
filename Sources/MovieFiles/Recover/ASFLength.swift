package import MediaTypes
package import SystemPackage

/// How long a Windows Media file is: its File Properties Object says it (Advanced Systems Format, section 3.2).
package enum ASFLength {
    /// - Returns: nil for a file that does not say how long it is, and for any other.
    /// - Throws: `notAFile`, `system`.
    package static func of(_ path: FilePath) throws(MovieFileError) -> MediaTime? { try read(path)?.time }

    /// - Returns: nil for a file that is whole or does not say how long it is, and for any other.
    /// - Throws: `notAFile`, `system`.
    package static func ofCutOff(_ path: FilePath) throws(MovieFileError) -> ToldLength? {
        guard let (time, isCutOff) = try read(path), isCutOff else { return nil }
        var told = ToldLength(video: time, audio: time)
        told.isCutOff = true
        return told
    }

    private static func read(_ path: FilePath) throws(MovieFileError) -> (time: MediaTime, isCutOff: Bool)? {
        try ReadableFile.open(path) { (file) throws(MovieFileError) -> (time: MediaTime, isCutOff: Bool)? in
            guard let properties = try ASFHeader(file)?[ASFHeader.properties] else { return nil }
            func number(_ offset: Int, _ count: Int) -> Int? { ASFHeader.number(properties.dropFirst(offset), count) }
            // Of the file; of all of it in 100 ns, with what is read before the first sample is presented, in milliseconds. A broadcast knows none.
            guard let size = number(16, 8), let length = number(40, 8), let preroll = number(56, 8),
                let flags = number(64, 4), flags & 1 == 0, length < 1 << 50, preroll < 1 << 30,
                length > preroll * 10_000
            else { return nil }
            return (MediaTime(seconds: Double(length) / 1e7 - Double(preroll) / 1e3), size > file.size)
        }
    }
}
