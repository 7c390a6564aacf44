package import SystemPackage

/// GStreamer 1.22, mxfdemux: goes with the version that knows how long the frames of such files are; `WorkaroundTests` “mxfdemux, JPEG 2000 of progressive frames”.
///
/// How an MXF file holds its frames, each in a part of its own or all in one (SMPTE ST 379-1, "frame-wrapped" and "clip-wrapped"), as those
/// for cinemas and for exchange between studios (IMF) do.
///
/// Of a part that holds all, mxfdemux (1.22) reads as much as its index says. Where that has sizes that differ, or does not say how many
/// units it is for because it is for all, mxfdemux ends the process or never comes to an end. It takes what ST 422:2019 calls JPEG 2000 by
/// fields or progressive frames for one such part, and what it has no decoder for too, as frames of ACES (ST 2067-50), where nothing else
/// lies between them.
package enum MXFWrapping {
    /// What a message says of such a file that libavformat finds nothing in.
    package static let refusal =
        "is MXF of a kind that nothing here reads, as frames of ACES, immersive audio or subtitles alone are; make it again as ProRes or PCM"

    /// Blocks.
    package static func isUnknown(toDemuxerOf path: FilePath) -> Bool {
        (try? ReadableFile.open(path) { (file) throws(MovieFileError) in try isUnknown(file) }) ?? false
    }

    private static func isUnknown(_ file: ReadableFile) throws(MovieFileError) -> Bool {
        var (window, position, body) = (FileWindow(file), UInt64(0), UInt64(0))
        var (bodies, indexes): ([UInt64: Set<[UInt8]>], [UInt64: [Index]]) = ([:], [:])
        var isOfUnknownKind = false
        while position < file.size {
            let head = try window.bytes(MXFPart.headSize, at: position)
            guard let part = MXFPart(head, at: position), position > 0 || part.isPartition else { break }
            let length = Int(clamping: min(part.end - part.data, 4096))
            if part.isPartition {
                body = MXFPart.number(try file.read(upTo: length, at: part.data).dropFirst(60).prefix(4))
            } else if part.isIndex {
                let index = Index(try file.read(upTo: length, at: part.data)[...])
                indexes[index.body, default: []].append(index)
            } else if part.isSet {
                let label = MXFPart.properties(try file.read(upTo: length, at: part.data)[...])[0x3004] ?? []
                if isUnknownJPEG2000(label) { return true }
                isOfUnknownKind = isOfUnknownKind || isUnknownKind(label)
            } else if part.isEssence, !bodies[body, default: []].insert(part.key).inserted {
                return isOfUnknownKind && bodies[body]?.count == 1
            }
            position = part.end
        }
        return bodies.contains { body, keys in
            keys.count == 1
                && (isOfUnknownKind || (indexes[body] ?? []).contains { $0.unitSize == 0 || $0.duration == 0 })
        }
    }

    /// Whether a description's label says that JPEG 2000 is held in a way that ST 422 had no label for at first.
    private static func isUnknownJPEG2000(_ label: ArraySlice<UInt8>) -> Bool {
        label.dropFirst(8).prefix(6).elementsEqual(held + [0x0C])
            && label.dropFirst(14).first.map { (3...6).contains($0) } == true
    }

    /// Whether a description's label is of what mxfdemux hands to nobody (SMPTE ST 377-1, "essence container label").
    private static func isUnknownKind(_ label: ArraySlice<UInt8>) -> Bool {
        guard label.dropFirst(8).prefix(5).elementsEqual(held), let kind = label.dropFirst(13).first else {
            return false
        }
        return !known.contains(kind)
    }

    private static let held: [UInt8] = [0x0D, 1, 3, 1, 2]
    /// D-10, DV, MPEG, uncompressed video, PCM, MPEG's packets, A-law, JPEG 2000, AVC, VC-3, and several kinds at once.
    private static let known: Set<UInt8> = [0x01, 0x02, 0x04, 0x05, 0x06, 0x07, 0x0A, 0x0C, 0x10, 0x11, 0x7F]

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
