package import SystemPackage

/// MXF whose frames or audio are encrypted (SMPTE ST 429-6), as cinemas get them. GStreamer's demuxer (1.22) ends the process at such audio.
package enum EncryptedMXF {
    /// What a message says of it.
    package static let refusal = "is encrypted, as cinemas get movies; export it from a package that is not"

    /// What frames, audio and data lie in that are encrypted, but for its version.
    private static let triplet: [UInt8] = [0x0D, 1, 3, 1, 2, 0x7E, 1, 0]
    /// Parts of frames and audio that are looked at: all of a track are encrypted, or none is.
    private static let mostParts = 16

    /// Blocks.
    package static func isOne(_ path: FilePath) -> Bool {
        (try? ReadableFile.open(path) { (file) throws(MovieFileError) in try isOne(file) }) ?? false
    }

    private static func isOne(_ file: ReadableFile) throws(MovieFileError) -> Bool {
        var (window, position, parts) = (FileWindow(file), UInt64(0), 0)
        while position < file.size, parts < mostParts {
            let head = try window.bytes(MXFPart.headSize, at: position)
            guard let part = MXFPart(head, at: position), position > 0 || part.isPartition else { return false }
            if part.key[8...].elementsEqual(triplet) { return true }
            if part.isEssence { parts += 1 }
            position = part.end
        }
        return false
    }
}
