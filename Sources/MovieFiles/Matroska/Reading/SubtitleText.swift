/// A subtitle's text in the form that timed text has.
enum SubtitleText {
    /// Without the tags that SubRip's texts may have, which timed text says otherwise.
    static func plain(_ text: String) -> String {
        var plain = ""
        let lines = text.replacing("\r\n", with: "\n")
        var rest = lines[...]
        while let start = rest.firstIndex(of: "<") {
            plain += rest[..<start]
            let tag = rest[start...].prefix { $0 != ">" }
            let name = tag.dropFirst().drop { $0 == "/" }
            // A sign that is no tag's, as in "a < b", stays.
            guard tag.endIndex < rest.endIndex, name.first?.isLetter == true else {
                plain.append("<")
                rest = rest[rest.index(after: start)...]
                continue
            }
            rest = rest[rest.index(after: tag.endIndex)...]
        }
        return plain + rest
    }

    /// The text in UTF-8 behind its length (3GPP TS 26.245 section 5.17).
    static func sample(_ text: String) -> [UInt8] {
        var text = text[...]
        while text.utf8.count > Int(UInt16.max) { text.removeLast() }
        let length = UInt16(text.utf8.count)
        return [UInt8(length >> 8), UInt8(length & 0xFF)] + text.utf8
    }
}
