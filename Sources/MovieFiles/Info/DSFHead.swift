package import SystemPackage

/// How a DSF file begins (Sony, "DSF File Format Specification" 1.01), which holds audio alone. GStreamer (1.22) takes a cover for its video, and
/// its title for that of the stream.
package struct DSFHead: Sendable {
    /// Where its ID3 tag lies; 0 where it has none.
    let tagPlace: UInt64

    /// - Returns: nil for any other file.
    package init?(reading path: FilePath) {
        let head = try? ReadableFile.open(path) { (file) throws(MovieFileError) in try DSFHead(file) }
        guard let head = head ?? nil else { return nil }
        self = head
    }

    init?(_ file: ReadableFile) throws(MovieFileError) {
        // The size of this part, that of the file, and where the tag begins: eight bytes each, the lowest first.
        let head = try file.read(upTo: 28, at: 0)
        guard head.count == 28, head.starts(with: "DSD ".utf8) else { return nil }
        tagPlace = head[20...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
