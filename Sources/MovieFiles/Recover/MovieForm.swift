package import SystemPackage

/// What a file is by its first bytes, whatever its name says: its recovered copy is the same.
package enum MovieForm: Sendable, Hashable {
    /// QuickTime or MP4.
    case movie
    /// MP4 with audio alone.
    case audioMovie
    case matroska, webm
    case wave, flac, mp3

    /// - Returns: `nil` for what is none of them, or cannot be read.
    package init?(_ path: FilePath) {
        let form = try? ReadableFile.open(path) { (file) throws(MovieFileError) in try Self.form(of: file) }
        guard let form else { return nil }
        self = form
    }

    private static func form(of file: ReadableFile) throws(MovieFileError) -> MovieForm? {
        if try WaveRecovery.isOne(file) { return .wave }
        if try FLACRecovery.isOne(file) { return .flac }
        if try MP3Recovery.isOne(file) { return .mp3 }
        if try MatroskaSegment.isMatroska(file) {
            let head = try file.read(upTo: 64, at: 0)
            guard let header = ElementHeader(head[...], at: 0), let end = header.end, end <= head.count else {
                return .matroska
            }
            return try Elements(head[Int(header.dataOffset)..<Int(end)]).text(.docType) == "webm" ? .webm : .matroska
        }
        let head = try file.read(upTo: 12, at: 0)
        guard head.count == 12, case let words = String(decoding: head[4...], as: UTF8.self) else { return nil }
        guard words.hasPrefix("ftyp") || words.hasPrefix("moov") || words.hasPrefix("wide") else { return nil }
        return words == "ftypM4A " ? .audioMovie : .movie
    }
}
