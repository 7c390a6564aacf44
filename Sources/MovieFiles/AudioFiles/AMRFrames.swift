package import SystemPackage

/// The frames of AMR without a container (RFC 4867, section 5), each of which begins with what it is.
package enum AMRFrames {
    private static let narrow = (
        head: Array("#!AMR\n".utf8), sizes: [12, 13, 15, 17, 19, 20, 26, 31, 5], emptyFrom: 15
    )
    /// In bytes, by the kind of the frame; from `emptyFrom` on there are none, and no kinds between.
    private static let wide = (
        head: Array("#!AMR-WB\n".utf8), sizes: [17, 23, 32, 36, 40, 46, 50, 58, 60, 5], emptyFrom: 14
    )

    /// Whether something among them is none: amrparse (1.22) leaves out what lies around it without a word, up to half of a file. Reads all of it;
    /// blocks.
    ///
    /// - Throws: `notAFile`, `system`.
    package static func areDamaged(in path: FilePath) throws(MovieFileError) -> Bool {
        try ReadableFile.open(path) { (file) throws(MovieFileError) -> Bool in
            let head = try file.read(upTo: wide.head.count, at: 0)
            guard let kind = [narrow, wide].first(where: { head.starts(with: $0.head) }) else { return false }
            var (window, place) = (FileWindow(file), UInt64(kind.head.count))
            while let frame = try window.bytes(1, at: place).first {
                let type = Int(frame >> 3 & 0x0F)
                // What only fills up is 0 (RFC 4867, section 5.3).
                guard frame & 0x83 == 0, type < kind.sizes.count || type >= kind.emptyFrom else { return true }
                place += 1 + UInt64(type < kind.sizes.count ? kind.sizes[type] : 0)
            }
            return false
        }
    }
}
