import GStreamer

/// Subtitles without their markup: the muxers (1.22) take plain UTF-8 only, where demuxers give Pango's.
enum PlainText {
    /// What muxers take.
    static let caps = Caps("text/x-raw", ["format": "utf8"])

    static func isMarkup(_ caps: Caps) -> Bool {
        caps.first?.name == "text/x-raw" && caps.first?["format"]?.stringValue == "pango-markup"
    }

    /// Without tags, and with the five entities of XML as what they stand for.
    static func of(_ markup: String) -> String {
        var text = ""
        var isTag = false
        for character in markup {
            switch character {
            case "<": isTag = true
            case ">" where isTag: isTag = false
            default: if !isTag { text.append(character) }
            }
        }
        // The ampersand last: what it stands before must not be read twice.
        let entities = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&"),
        ]
        return entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// The same subtitle in plain text; as it is where its bytes cannot be read.
    static func of(_ buffer: Buffer) -> Buffer {
        guard let text = try? buffer.withBytes({ String(decoding: $0, as: UTF8.self) }) else { return buffer }
        return buffer.replacingBytes(with: Array(of(text).utf8))
    }
}
