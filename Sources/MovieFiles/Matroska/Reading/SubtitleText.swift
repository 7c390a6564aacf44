/// A subtitle's text in the form that timed text has.
enum SubtitleText {
    /// How Matroska's frames hold texts ("Matroska Codec Specifications", subtitles; WebM's own for `D_WEBVTT`).
    enum Form: Sendable {
        case plain
        /// Fields with commas between them, the text last.
        case substation
        case webVTT
        /// WebVTT behind a line with its identifier and one with its settings.
        case webMVTT

        /// nil for what is no text.
        init?(codecID: String) {
            switch codecID {
            case "S_TEXT/UTF8", "S_TEXT/ASCII": self = .plain
            case "S_TEXT/ASS", "S_TEXT/SSA", "S_ASS", "S_SSA": self = .substation
            case "S_TEXT/WEBVTT": self = .webVTT
            default:
                guard codecID.hasPrefix("D_WEBVTT/") else { return nil }
                self = .webMVTT
            }
        }

        /// The text of a frame without its looks.
        func plain(_ frame: [UInt8]) -> String {
            let text = SubtitleText.text(frame)
            switch self {
            case .plain: return SubtitleText.plain(SubtitleText.withoutPlaces(text))
            case .substation: return SubtitleText.withoutOverrides(text)
            case .webVTT: return SubtitleText.withoutEntities(SubtitleText.plain(text))
            case .webMVTT:
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
                return SubtitleText.withoutEntities(SubtitleText.plain(lines.joined(separator: "\n")))
            }
        }

        /// Whether a frame says how or where its text is shown.
        func losesLooks(of frame: [UInt8]) -> Bool {
            self != .plain
                || (frame.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "{") }
                    && plain(frame) != SubtitleText.text(frame))
        }

    }

    /// Of a frame.
    static func text(_ frame: [UInt8]) -> String {
        // A zero ends it, and some writers count that in.
        String(decoding: frame.prefix { $0 != 0 }, as: UTF8.self).replacing("\r\n", with: "\n")
    }

    /// SubRip's texts may say in SubStation Alpha's way where they are shown, such as {\an8}.
    private static func withoutPlaces(_ text: String) -> String {
        text.contains("{\\") ? text.replacing(#/\{\\[^}]*\}/#, with: "") : text
    }

    /// The text of an event of SubStation Alpha: behind eight fields, with its line breaks, without what is in braces.
    private static func withoutOverrides(_ event: String) -> String {
        let fields = event.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        guard fields.count == 9 else { return "" }
        var (plain, rest, isDrawing) = ("", fields[8][...], false)
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            if !isDrawing { plain += rest[..<start] }
            // Lines and curves are drawn from here on, or no longer.
            if let mode = rest[start..<end].firstMatch(of: #/\\p([0-9])/#) { isDrawing = mode.1 != "0" }
            rest = rest[end...].dropFirst()
        }
        if !isDrawing { plain += rest }
        return plain.replacing("\\N", with: "\n").replacing("\\n", with: "\n").replacing("\\h", with: "\u{A0}")
    }

    /// Without the times at which WebVTT's words change their looks.
    static func withoutTimes(_ text: String) -> String { text.replacing(#/<[0-9:.]+>/#, with: "") }

    /// Without these times, and with the signs that its entities stand for; the ampersand last, as what it stands before must not be read twice.
    static func withoutEntities(_ text: String) -> String {
        let entities = [
            ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", "\u{A0}"), ("&lrm;", "\u{200E}"), ("&rlm;", "\u{200F}"),
            ("&amp;", "&"),
        ]
        return entities.reduce(withoutTimes(text)) { $0.replacing($1.0, with: $1.1) }
    }

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
