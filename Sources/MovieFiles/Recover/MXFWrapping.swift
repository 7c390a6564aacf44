package import SystemPackage

/// GStreamer 1.22, mxfdemux: goes with the version that knows how long the frames of such files are; `WorkaroundTests` “mxfdemux, JPEG 2000 of progressive frames”.
///
/// How an MXF file holds its frames, each in a part of its own or all in one (SMPTE ST 379-1, "frame-wrapped" and "clip-wrapped"), as those
/// for cinemas and for exchange between studios (IMF) do.
///
/// Of a part that holds all, mxfdemux (1.22) reads as much as its index says. Where that has sizes that differ, or does not say how many
/// units it is for because it is for all, mxfdemux ends the process or never comes to an end. It takes what ST 422:2019 calls JPEG 2000 by
/// fields or progressive frames for one such part.
package enum MXFWrapping {
    /// Blocks.
    package static func isUnknown(toDemuxerOf path: FilePath) -> Bool {
        (try? ReadableFile.open(path) { (file) throws(MovieFileError) in try isUnknown(file) }) ?? false
    }

    private static func isUnknown(_ file: ReadableFile) throws(MovieFileError) -> Bool {
        var (window, position, body) = (FileWindow(file), UInt64(0), UInt64(0))
        var (bodies, indexes): ([UInt64: Set<[UInt8]>], [UInt64: [Index]]) = ([:], [:])
        while position < file.size {
            let head = try window.bytes(MXFPart.headSize, at: position)
            guard let part = MXFPart(head, at: position), position > 0 || part.isPartition else { break }
            let length = Int(clamping: min(part.end - part.data, 4096))
            if part.isPartition {
                body = MXFPart.number(try file.read(upTo: length, at: part.data).dropFirst(60).prefix(4))
            } else if part.isIndex {
                let index = Index(try file.read(upTo: length, at: part.data)[...])
                indexes[index.body, default: []].append(index)
            } else if part.isSet, hasUnknownLabel(try file.read(upTo: length, at: part.data)[...]) {
                return true
            } else if part.isEssence, !bodies[body, default: []].insert(part.key).inserted {
                return false
            }
            position = part.end
        }
        return bodies.contains { body, keys in
            keys.count == 1 && (indexes[body] ?? []).contains { $0.unitSize == 0 || $0.duration == 0 }
        }
    }

    /// Whether a description says that JPEG 2000 is held in a way that ST 422 had no label for at first.
    private static func hasUnknownLabel(_ set: ArraySlice<UInt8>) -> Bool {
        guard let label = MXFPart.properties(set)[0x3004], label.count == 16 else { return false }
        let (kind, wrapping) = (label.dropFirst(8).prefix(6), label[label.startIndex + 14])
        return kind.elementsEqual([0x0D, 1, 3, 1, 2, 0x0C]) && (3...6).contains(wrapping)
    }

    /// Where the frames of a body lie.
    private struct Index {
        let body: UInt64
        /// In bytes; 0 where each is told.
        let unitSize: UInt64
        /// In units; 0 where it is for all.
        let duration: UInt64

        init(_ set: ArraySlice<UInt8>) {
            let told = MXFPart.properties(set)
            func number(_ property: UInt64) -> UInt64 { told[property].map { MXFPart.number($0) } ?? 0 }
            (body, unitSize, duration) = (number(0x3F07), number(0x3F05), number(0x3F0D))
        }
    }
}
