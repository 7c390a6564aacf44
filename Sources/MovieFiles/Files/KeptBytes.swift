package import SystemPackage

/// A file without some of its parts, or with others in their place: what a demuxer stumbles over.
package struct KeptBytes: Sendable, Hashable {
    /// What lies in the file one behind the other, in order.
    package let ranges: [Range<UInt64>]
    /// In order, none over another.
    let patches: [Patch]

    /// What is read in the place of as many bytes of the file.
    package struct Patch: Sendable, Hashable {
        /// In the file.
        var offset: UInt64
        var bytes: [UInt8]
    }

    /// - Parameters:
    ///   - omitted: in order; they may touch each other.
    ///   - patches: in order, none over another.
    package init(size: UInt64, without omitted: [Range<UInt64>], patches: [Patch] = []) {
        self.patches = patches
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

    /// - Parameter start: where the bytes lie in the file.
    fileprivate func patched(_ bytes: [UInt8], at start: UInt64) -> [UInt8] {
        guard !patches.isEmpty else { return bytes }
        var (bytes, end) = (bytes, start + UInt64(bytes.count))
        let first = patches.partitioningIndex { $0.offset + UInt64($0.bytes.count) > start }
        for patch in patches[first...].prefix(while: { $0.offset < end }) {
            for (index, byte) in patch.bytes.enumerated() {
                let place = patch.offset + UInt64(index)
                if place >= start, place < end { bytes[Int(place - start)] = byte }
            }
        }
        return bytes
    }

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
                let start = range.lowerBound + (place - begin)
                bytes += kept.patched(try file.read(upTo: Int(most), at: start), at: start)
            }
            begin = end
        }
        return bytes
    }
}
