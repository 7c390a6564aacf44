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
}
