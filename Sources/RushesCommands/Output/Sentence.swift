/// A reason from a library, as a person reads it: one line that begins with a capital letter and ends with a period.
struct Sentence {
    let text: String

    init(_ words: String) {
        let line = Self.printable(words)
        let first = line.prefix { $0 != " " }
        // Only words that are no name: "x265enc", "take.mov", "test:size=1" and a device called "talk" stay as they are.
        let begin = Self.openings.contains(String(first)) ? first.prefix(1).uppercased() + line.dropFirst() : line
        text = Self.isClosed(begin) ? begin : begin + "."
    }

    static func isClosed(_ text: String) -> Bool { [".", "?", "!"].contains(text.last) }

    /// In one line: file names may hold line breaks and control characters, which a terminal would obey.
    static func printable(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": line += "\\n"
            case "\t": line += "\\t"
            case "\r": line += "\\r"
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
                line += "\\u{\(String(scalar.value, radix: 16))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    private static let openings: Set<String> = [
        "a", "an", "audio", "frames", "no", "only", "the", "there", "unknown", "writing",
    ]
}
