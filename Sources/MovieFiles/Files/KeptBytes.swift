package import SystemPackage

/// A file without some of its parts: what a demuxer stumbles over.
package struct KeptBytes: Sendable, Hashable {
    /// What lies in the file one behind the other, in order.
    package let ranges: [Range<UInt64>]

    /// - Parameter omitted: in order; they may touch each other.
    package init(size: UInt64, without omitted: [Range<UInt64>]) {
        var (ranges, begin): ([Range<UInt64>], UInt64) = ([], 0)
        for range in omitted {
            if range.lowerBound > begin { ranges.append(begin..<range.lowerBound) }
            begin = max(begin, range.upperBound)
        }
        if begin < size { ranges.append(begin..<size) }
        self.ranges = ranges
    }

    /// In bytes.
    package var size: UInt64 { ranges.reduce(0) { $0 + UInt64($1.count) } }

    /// Opens the file for reading what is kept of it.
    ///
    /// - Throws: `notAFile`, `system`.
    package func opened(_ path: FilePath) throws(MovieFileError) -> KeptFile {
        KeptFile(self, try ReadableFile.opened(path))
    }
}

/// The bytes that are kept of a file, as if they were all of it. The file stays open as long as this object lives.
package final class KeptFile: Sendable {
    private let kept: KeptBytes
    private let file: ReadableFile

    fileprivate init(_ kept: KeptBytes, _ file: ReadableFile) { (self.kept, self.file) = (kept, file) }

    deinit { try? file.descriptor.close() }

    /// Up to `count` bytes; fewer only at the end.
    ///
    /// - Throws: `system`.
    package func read(upTo count: Int, at offset: UInt64) throws(MovieFileError) -> [UInt8] {
        var (bytes, begin): ([UInt8], UInt64) = ([], 0)
        for range in kept.ranges where bytes.count < count {
            let end = begin + UInt64(range.count)
            let place = offset + UInt64(bytes.count)
            if place >= begin, place < end {
                let most = min(UInt64(count - bytes.count), end - place)
                bytes += try file.read(upTo: Int(most), at: range.lowerBound + (place - begin))
            }
            begin = end
        }
        return bytes
    }
}
