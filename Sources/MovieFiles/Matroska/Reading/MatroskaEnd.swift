package import SystemPackage

/// Matroska and WebM whose writer did not know how long they would be, as browsers and streaming servers write them: nothing says how many bytes
/// there should be.
package enum MatroskaEnd {
    /// Whether such a file ends within an element. Blocks.
    ///
    /// - Returns: false for any other file, and for one whose segment says its size.
    package static func isWithinElement(_ path: FilePath) -> Bool {
        let isWithin = try? ReadableFile.open(path) { (file) throws(MovieFileError) in
            var (window, place, hasBegun) = (FileWindow(file), UInt64(0), false)
            while place < file.size {
                let bytes = try window.bytes(ElementHeader.maximumSize, at: place)
                guard let header = ElementHeader(bytes[...], at: place) else {
                    return hasBegun && bytes.count < ElementHeader.maximumSize
                }
                guard let end = header.end else {
                    // Blocks of a cluster without a size follow it as its equals.
                    guard header.id == .segment || header.id == .cluster else { return false }
                    (hasBegun, place) = (true, header.dataOffset)
                    continue
                }
                guard header.id != .segment else { return false }
                place = end
            }
            return hasBegun && place > file.size
        }
        return isWithin ?? false
    }
}
