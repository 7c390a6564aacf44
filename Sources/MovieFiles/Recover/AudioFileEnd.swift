package import SystemPackage

/// Audio files that lack their end, and whose head says how long they are: GStreamer reads what is there and says nothing.
package enum AudioFileEnd {
    /// Whether AIFF, AU or Wave64 has fewer bytes than it says. Blocks.
    ///
    /// - Returns: false for any other file.
    package static func isMissing(_ path: FilePath) -> Bool {
        let isMissing = try? ReadableFile.open(path) { (file) throws(MovieFileError) in
            size(try file.read(upTo: 24, at: 0)).map { $0 > file.size } ?? false
        }
        return isMissing ?? false
    }

    /// Whether FLAC ends within a frame. Blocks.
    package static func isWithinFrame(flac path: FilePath) -> Bool {
        let isMissing = try? ReadableFile.open(path) { (file) throws(MovieFileError) in
            let head = try file.read(upTo: FLACStreamInfo.place + FLACStreamInfo.size, at: 0)
            guard head.starts(with: "fLaC".utf8), head.count == FLACStreamInfo.place + FLACStreamInfo.size else {
                return false
            }
            return try FLACEnd.count(file, head) == nil
        }
        return isMissing ?? false
    }

    /// What a file says of its bytes; nil where its writer did not know.
    private static func size(_ head: [UInt8]) -> UInt64? {
        guard head.count == 24 else { return nil }
        func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        if head.starts(with: "FORM".utf8), head[8..<11].elementsEqual("AIF".utf8) {
            return number(head[4..<8]) + 8
        }
        // Sun's, where all bits of the size mean that it is not known.
        if head.starts(with: ".snd".utf8) {
            let size = number(head[8..<12])
            return size == UInt64(UInt32.max) ? nil : number(head[4..<8]) + size
        }
        // "riff" and the rest of its identifier, then the size of all.
        if head.starts(with: "riff".utf8), head[4..<8].elementsEqual([0x2E, 0x91, 0xCF, 0x11]) {
            return number(head[16..<24].reversed())
        }
        return nil
    }
}
