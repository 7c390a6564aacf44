/// The text of a subtitle with the looks that all formats of text have.
struct StyledText: Sendable, Equatable {
    struct Look: OptionSet, Sendable, Hashable {
        /// As timed text counts them (3GPP TS 26.245 section 5.16), where no text is struck out.
        let rawValue: UInt8

        static let bold = Look(rawValue: 1)
        static let italic = Look(rawValue: 2)
        static let underlined = Look(rawValue: 4)
        static let struckOut = Look(rawValue: 8)

        /// As SubRip, WebVTT and SubStation Alpha name each.
        static let letters: [(look: Look, letter: Character)] = [
            (.bold, "b"), (.italic, "i"), (.underlined, "u"), (.struckOut, "s"),
        ]

        init(rawValue: UInt8) { self.rawValue = rawValue }

        /// - Parameter letter: in a tag or an override.
        init?(letter: some StringProtocol) {
            guard let known = Self.letters.first(where: { String($0.letter) == letter.lowercased() }) else {
                return nil
            }
            self = known.look
        }
    }

    struct Run: Sendable, Equatable {
        var text: String
        var look: Look
    }

    private(set) var runs: [Run] = []
    /// Where it is shown, as the digits of a keypad lie; nil: in the middle below.
    var place: Int?
    /// Whether it has looks, or a place, that are not among these.
    var losesLooks = false

    /// Whether nobody sees it.
    var isBlank: Bool { runs.allSatisfy { $0.text.allSatisfy(\.isWhitespace) } }

    mutating func append(_ text: some StringProtocol, _ look: Look) {
        guard !text.isEmpty else { return }
        // What is blank looks the same with any look, but for the lines under or through it.
        let isBlank = text.allSatisfy(\.isWhitespace) && look.isDisjoint(with: [.underlined, .struckOut])
        let look = isBlank ? runs.last?.look ?? [] : look
        if runs.last?.look == look {
            runs[runs.count - 1].text += text
        } else {
            runs.append(Run(text: String(text), look: look))
        }
    }
}
