/// A color profile of three primaries, as ICC.1 has it.
enum MadeProfile {
    /// - Parameters:
    ///   - name: in ASCII.
    ///   - primaries: X, Y and Z of red, green and blue, adapted to D50.
    static func bytes(_ name: String, _ primaries: [[Double]]) -> [UInt8] {
        func four(_ number: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        func point(_ values: [Double]) -> [UInt8] {
            Array("XYZ ".utf8) + four(0) + values.flatMap { four(Int(($0 * 65536).rounded())) }
        }
        let text = Array(name.utf8) + [0]
        var description = Array("desc".utf8) + four(0) + four(text.count) + text
        // Neither Unicode nor Macintosh.
        description += [UInt8](repeating: 0, count: 78)
        while description.count % 4 != 0 { description.append(0) }
        let curve = Array("curv".utf8) + four(0) + four(1) + [2, 0x33, 0, 0]
        let white = point([0.9642, 1, 0.8249])
        let tags: [(String, [UInt8])] =
            [("desc", description), ("wtpt", white), ("cprt", Array("text".utf8) + four(0) + [0x58, 0, 0, 0])]
            + zip(["r", "g", "b"], primaries).flatMap { [("\($0)XYZ", point($1)), ("\($0)TRC", curve)] }
        var (table, content) = (four(tags.count), [UInt8]())
        let start = 128 + 4 + 12 * tags.count
        for (tag, bytes) in tags {
            table += Array(tag.utf8) + four(start + content.count) + four(bytes.count)
            content += bytes
        }
        var header = four(start + content.count) + four(0) + [2, 0x10, 0, 0] + Array("mntrRGB XYZ ".utf8)
        header += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
        header += [0.9642, 1, 0.8249].flatMap { four(Int(($0 * 65536).rounded())) }
        header += [UInt8](repeating: 0, count: 128 - header.count)
        return header + table + content
    }
}
