package import MediaTypes
package import SystemPackage

/// A WebP file of one image (RFC 9649), of which GStreamer's discoverer (1.22) tells no stream.
package enum StillWebP {
    /// How large its image is; nil of what is none. Blocks.
    package static func size(of path: FilePath) -> VideoSize? {
        let head = try? ReadableFile.open(path) { (file) throws(MovieFileError) in try file.read(upTo: 30, at: 0) }
        guard let head, head.count == 30, head.starts(with: "RIFF".utf8), head[8..<12].elementsEqual("WEBP".utf8)
        else { return nil }
        func number(_ place: Int, bytes: Int) -> Int {
            (0..<bytes).reduce(0) { $0 | Int(head[place + $1]) << (8 * $1) }
        }
        switch String(decoding: head[12..<16], as: UTF8.self) {
        case "VP8X":
            let isAnimated = head[20] & 0x02 != 0
            return isAnimated ? nil : VideoSize(number(24, bytes: 3) + 1, number(27, bytes: 3) + 1)
        case "VP8L":
            let bits = number(21, bytes: 4)
            return head[20] == 0x2F ? VideoSize(bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1) : nil
        // RFC 6386, section 9.1.
        case "VP8 ":
            let isKey = head[23..<26].elementsEqual([0x9D, 0x01, 0x2A])
            return isKey ? VideoSize(number(26, bytes: 2) & 0x3FFF, number(28, bytes: 2) & 0x3FFF) : nil
        default: return nil
        }
    }
}
