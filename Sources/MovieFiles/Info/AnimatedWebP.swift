package import SystemPackage

/// Animated WebP (RFC 9649), of which GStreamer (1.22) and FFmpeg (7.1) decode nothing.
package enum AnimatedWebP {
    /// What is said of such a file, behind its name.
    package static let refusal =
        "is an animated WebP, which nothing here decodes; make it a GIF with what made it"

    package static func isOne(_ path: FilePath) -> Bool {
        let head = try? ReadableFile.open(path) { (file) throws(MovieFileError) in try file.read(upTo: 21, at: 0) }
        guard let head, head.count == 21, head.starts(with: "RIFF".utf8),
            head[8..<16].elementsEqual("WEBPVP8X".utf8)
        else { return false }
        return head[20] & 0x02 != 0
    }
}
