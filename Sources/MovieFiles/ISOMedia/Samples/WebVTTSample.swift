/// WebVTT in MP4 (ISO/IEC 14496-30, section 6): a sample has all texts that are shown during it, each of which may go on in the next one.
enum WebVTTSample {
    static let format: FourCC = "wvtt"

    /// The texts as WebM has them: a line for its identifier, one for its settings, and the text. None of a pause.
    static func texts(_ sample: [UInt8]) -> [[UInt8]] {
        children(of: sample[...]).filter { $0.type == "vttc" }.compactMap { cue in
            var parts: [FourCC: ArraySlice<UInt8>] = [:]
            for part in children(of: cue.content) { parts[part.type] = part.content }
            guard let text = parts["payl"], !text.isEmpty else { return nil }
            let newline = UInt8(ascii: "\n")
            // A line of either would be taken for the text's.
            let lines: [FourCC] = ["iden", "sttg"]
            return lines.flatMap { (parts[$0] ?? []).filter { $0 != newline } + [newline] } + text
        }
    }

    private static func children(of bytes: ArraySlice<UInt8>) -> [(type: FourCC, content: ArraySlice<UInt8>)] {
        var (rest, boxes): (ArraySlice<UInt8>, [(type: FourCC, content: ArraySlice<UInt8>)]) = (bytes, [])
        while let size = UInt32(bigEndianBytes: rest.prefix(4)), size >= 8, size <= rest.count,
            let type = UInt32(bigEndianBytes: rest.dropFirst(4).prefix(4))
        {
            boxes.append((FourCC(rawValue: type), rest.prefix(Int(size)).dropFirst(8)))
            rest = rest.dropFirst(Int(size))
        }
        return boxes
    }
}
