/// Text by the columns that it takes in a terminal.
package enum TerminalText {
    /// Without control characters: a file's name must not be able to steer the terminal.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator: " "
                    // Marks that turn the direction of writing would turn the rest of the line with it.
                    case .format where scalar.value != 0x200D: " "
                    default: scalar
                    }
                }))
    }

    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    /// As much as fits, with "…" where something is missing.
    static func truncated(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        return columns > 0 ? prefix(text, columns: columns - 1) + "…" : ""
    }

    /// As much as fits.
    static func prefix(_ text: String, columns: Int) -> String {
        var used = 0
        return String(
            text.prefix { character in
                used += width(character)
                return used <= columns
            })
    }

    /// The same in lines that break between words, and not between a number and its unit; what is longer than a line stays whole, for the
    /// terminal to break.
    ///
    /// - Parameter indent: columns before each line but the first.
    package static func wrapped(_ text: String, to columns: Int, indent: Int = 0) -> String {
        var lines: [String] = []
        var line: String?
        for word in words(text) {
            if let begun = line {
                let longer = begun + " " + word
                if width(longer) <= columns {
                    line = longer
                    continue
                }
                lines.append(begun)
                line = nil
                // The spaces at which it was broken are not for the next line.
                if word.isEmpty { continue }
            }
            line = String(repeating: " ", count: lines.isEmpty ? 0 : indent) + word
        }
        return (lines + [line].compactMap(\.self)).joined(separator: "\n")
    }

    /// What stays together in a line: a word, or a number with its unit, "5.7 MB".
    private static func words(_ text: String) -> [Substring] {
        var words: [Substring] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let bare = word.last.map { ",.;:)".contains($0) } == true ? word.dropLast() : word
            if units.contains(bare), let number = words.last, number.last?.isNumber == true {
                words[words.count - 1] = text[number.startIndex..<word.endIndex]
            } else {
                words.append(word)
            }
        }
        return words
    }

    private static let units: Set<Substring> = [
        "bytes", "kB", "MB", "GB", "TB", "kbit/s", "Mbit/s", "kHz", "fps", "s", "ms", "min", "h", "days", "dB", "bit",
        "frames", "shots", "photos",
    ]

    /// A character takes the columns of its first scalar: marks that combine with it take none.
    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        // Unicode's East Asian wide blocks and the emoji, coarsely.
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default:
            return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
        }
    }
}
