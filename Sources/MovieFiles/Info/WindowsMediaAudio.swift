package import SystemPackage

/// Windows Media Audio of versions 7 and 8 as the streams of a file describe it (Advanced Systems Format, sections 3.3, 9.1 and 9.2).
package enum WindowsMediaAudio {
    private static let properties = "9107DCB7-B7A9-CF11-8EE6-00C00C205365"
    private static let audio = "409E69F8-4D5B-CF11-A8FD-00805F5C442B"
    private static let video = "C0EF19BC-4D5B-CF11-A8FD-00805F5C442B"
    /// What WAVE calls them.
    private static let tags = [0x160, 0x161]

    /// Whether it is all that a file has to play, in one stream: its packets' times then say nothing that its samples do not. Blocks.
    ///
    /// - Returns: false for any other file.
    package static func isAlone(in path: FilePath) -> Bool {
        let header = try? ReadableFile.open(path) { (file) throws(MovieFileError) in try ASFHeader(file) }
        guard let streams = header?.objects.filter({ $0.isOne(properties) }).map(\.data) else { return false }
        func are(_ kind: String) -> [ArraySlice<UInt8>] {
            streams.filter { ASFHeader.Object(identifier: $0.prefix(16), data: []).isOne(kind) }
        }
        let sounds = are(audio)
        // Behind the kinds of the stream and of its error correction, a time, two lengths, flags, and four bytes for nothing.
        guard are(video).isEmpty, sounds.count == 1, let tag = ASFHeader.number(sounds[0].dropFirst(54), 2) else {
            return false
        }
        return tags.contains(tag)
    }
}
