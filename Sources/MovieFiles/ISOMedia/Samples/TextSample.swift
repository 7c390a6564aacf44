import Foundation

/// A sample of text in QuickTime and MP4, of subtitles or chapters: the length of the text, the text, and boxes for its style (3GPP TS 26.245 section
/// 5.17; QuickTime File Format, "Text Sample Data").
enum TextSample {
    /// The text of a sample in UTF-8: it may be UTF-16 behind a mark, and QuickTime's in the Macintosh's old letters.
    static func text(_ sample: [UInt8]) -> [UInt8] {
        let length = UInt16(bigEndianBytes: sample.prefix(2)).map(Int.init) ?? 0
        let text = Array(sample.dropFirst(2).prefix(length))
        let encoding: String.Encoding
        if text.starts(with: [0xFE, 0xFF]) || text.starts(with: [0xFF, 0xFE]) {
            encoding = .utf16
        } else if String(validating: text, as: UTF8.self) == nil {
            encoding = .macOSRoman
        } else {
            return text
        }
        return String(bytes: text, encoding: encoding).map { Array($0.utf8) } ?? []
    }

    /// The same of a subtitle, with SubRip's tags where its style says that a part is bold, italic or underlined.
    static func tagged(_ sample: [UInt8]) -> [UInt8] {
        let bytes = text(sample)
        let styles = styles(sample)
        guard !styles.isEmpty else { return bytes }
        let characters = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        var (styled, position) = (StyledText(), 0)
        func add(upTo end: Int, _ look: StyledText.Look) {
            guard end > position else { return }
            var part = String.UnicodeScalarView()
            part.append(contentsOf: characters[position..<end])
            styled.append(String(part), look)
            position = end
        }
        for style in styles {
            add(upTo: min(style.range.lowerBound, characters.count), [])
            add(upTo: min(style.range.upperBound, characters.count), style.look)
        }
        add(upTo: characters.count, [])
        return Array(styled.subRip.utf8)
    }

    /// What the boxes behind the text say of its characters (3GPP TS 26.245 section 5.17.1.1), which QuickTime has likewise.
    private static func styles(_ sample: [UInt8]) -> [(range: Range<Int>, look: StyledText.Look)] {
        func number(_ count: Int, at offset: Int) -> Int {
            sample[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        guard sample.count > 2 else { return [] }
        var offset = 2 + number(2, at: 0)
        while offset + 10 <= sample.count {
            let size = number(4, at: offset)
            guard size >= 8, size <= sample.count - offset else { return [] }
            if sample[offset + 4..<offset + 8].elementsEqual("styl".utf8), size >= 10 {
                let count = min(number(2, at: offset + 8), (size - 10) / styleSize)
                return (0..<count).compactMap { index in
                    let style = offset + 10 + index * styleSize
                    let (begin, end) = (number(2, at: style), number(2, at: style + 2))
                    return begin < end ? (begin..<end, StyledText.Look(rawValue: sample[style + 6] & 7)) : nil
                }
            }
            offset += size
        }
        return []
    }

    /// Of a record: its characters, font, face, size and color.
    private static let styleSize = 12
}
