import MediaTypes
import SystemPackage

/// What a change makes of a file of audio alone: bytes of its own between ranges of the old file, which stay as they are.
struct AudioFileChange {
    enum Piece {
        case bytes([UInt8])
        case range(Range<UInt64>)
        /// Pages of Ogg, each so many places later among all of its stream.
        case pages(Range<UInt64>, later: Int)
    }

    let pieces: [Piece]

    /// - Returns: nil for any other file.
    /// - Throws: `unsupported` for what the file has no place for, and where it is not as it has to be; `damaged`, `system`.
    init?(_ change: MovieChange, of file: ReadableFile) throws(MovieFileError) {
        let head = try file.read(upTo: 4, at: 0)
        if head.elementsEqual("fLaC".utf8) {
            try Self.check(change, "FLAC")
            pieces = try FLACChange(change, of: file).pieces
        } else if head.elementsEqual("OggS".utf8) {
            try Self.check(change, "Ogg")
            pieces = try OggChange(change, of: file).pieces
        } else if try WaveChunks(file) != nil {
            try Self.check(change, "WAV")
            pieces = try WaveChange(change, of: file).pieces
        } else if let change = try MP3Change(change, of: file) {
            try Self.check(change.change, "MP3")
            pieces = try change.pieces
        } else {
            return nil
        }
    }

    /// - Throws: `unsupported` for what no file of audio has a place for.
    private static func check(_ change: MovieChange, _ container: String) throws(MovieFileError) {
        if !change.tracks.isEmpty {
            throw .unsupported(
                reason: "\(container) says nothing of single tracks; its title and artist can be changed")
        }
        for field in ID3FrameWriter.unknownFields where change.metadata[field] != nil {
            throw .unsupported(reason: "\(container) has no place for the \(field.words)")
        }
    }

    /// Writes the new file.
    ///
    /// - Parameters:
    ///   - file: the one that it was made of.
    ///   - progress: told which part is written, from 0 to 1.
    /// - Throws: `noSpace`, `system`.
    func write(of file: ReadableFile, to new: FileDescriptor, progress: (Double) -> Void) throws(MovieFileError) {
        let target = DescriptorFile(descriptor: new)
        var place: UInt64 = 0
        let all = Double(max(1, file.size))
        for piece in pieces {
            switch piece {
            case .bytes(let bytes):
                try target.write(bytes, at: place)
                place += UInt64(bytes.count)
            case .range(let range):
                let start = place
                try FileCopy.copy(range, of: file.descriptor, to: start, of: new) { count in
                    progress(min(1, Double(start + count) / all))
                }
                place += UInt64(range.count)
            case .pages(let range, let later):
                var cursor = ByteCursor(file, at: range.lowerBound)
                var waiting: [UInt8] = []
                while cursor.position < range.upperBound {
                    guard var page = try OggPage.next(&cursor) else {
                        throw .damaged(reason: "its pages end at byte \(cursor.position)")
                    }
                    page.number = UInt32(truncatingIfNeeded: Int(page.number) + later)
                    waiting += page.bytes
                    guard waiting.count >= Self.largestWrite || cursor.position >= range.upperBound else { continue }
                    try target.write(waiting, at: place)
                    place += UInt64(waiting.count)
                    waiting = []
                    progress(min(1, Double(place) / all))
                }
            }
        }
    }

    /// In bytes.
    private static let largestWrite = 1 << 20
}
