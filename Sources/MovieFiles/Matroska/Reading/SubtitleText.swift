/// A subtitle's text in the form that timed text has.
enum SubtitleText {
    /// Without the tags that SubRip's texts may have, which timed text says otherwise.
    static func plain(_ text: String) -> String {
        var plain = ""
        let lines = text.replacing("\r\n", with: "\n")
        var rest = lines[...]
        while let start = rest.firstIndex(of: "<") {
            plain += rest[..<start]
            let behind = rest[start...].dropFirst()
            // A sign that is no tag's, as in "a < b", stays.
            guard behind.drop(while: { $0 == "/" }).first?.isLetter == true else {
                plain.append("<")
                rest = behind
                continue
            }
            // Without an end of this one there is none of any that follows.
            guard let end = behind.firstIndex(of: ">") else { return plain + rest[start...] }
            rest = behind[end...].dropFirst()
        }
        return plain + rest
    }

    /// The text in UTF-8 behind its length (3GPP TS 26.245 section 5.17).
    static func sample(_ text: String) -> [UInt8] {
        let text = text.utf8Prefix(Int(UInt16.max))
        return [UInt8(text.count >> 8), UInt8(text.count & 0xFF)] + text
    }
}
