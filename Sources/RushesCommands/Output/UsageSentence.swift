/// What the argument parser says about a wrong command line, as one sentence with the cure.
///
/// The parser's own message is a paragraph: "Error:", perhaps a list of values, "Help:" for the option, "Usage:", and "See
/// 'rushes record --help'". Its errors are not public, so the paragraph is what there is.
struct UsageSentence {
    let text: String

    init(fullMessage: String) {
        let lines = fullMessage.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let body = lines.prefix { !$0.hasPrefix("Usage:") && !$0.hasPrefix("Help:") }
        var message = body.first.map { $0.hasPrefix("Error: ") ? String($0.dropFirst(7)) : $0 } ?? ""
        let values = body.dropFirst().compactMap { $0.hasPrefix("  - ") ? String($0.dropFirst(4)) : nil }
        let help = lines.first { $0.hasPrefix("Help:") }.flatMap(Self.words(ofHelp:))
        let page = lines.lazy.compactMap { $0.firstMatch(of: #/See '(.+)' for more/#).map { String($0.1) } }.first

        // Few values stand in the line itself, many in a list below it.
        let inLine = message.firstMatch(of: #/Please provide one of (.+?)\.?$/#).map { match in
            match.1.matches(of: #/'([^']+)'/#).map { String($0.1) }
        }
        let choices = values.isEmpty ? inLine ?? [] : values

        if let match = message.firstMatch(of: #/^The value '(.*)' is invalid for '(-*<?[\w-]+>?)[^']*'/#) {
            message = "\(match.2) cannot be '\(match.1)'"
            if !choices.isEmpty {
                message += "; it is \(Self.choice(choices))"
            } else if let help {
                message += " (\(help))"
            }
        } else {
            message = message.replacing(". Did you mean", with: "; did you mean")
            if let page, !Sentence.isClosed(message) { message += "; '\(page)' tells what there is" }
        }
        text = Sentence(message).text
    }

    /// "--size <WxH>  The camera's frame size." without the option and the period, to stand in parentheses.
    private static func words(ofHelp line: String) -> String? {
        let parts = line.dropFirst("Help:".count).drop { $0 == " " }.split(separator: "  ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let words = parts[1].trimmingPrefix { $0 == " " }
        let open = words.hasSuffix(".") ? words.dropLast() : words
        return open.prefix(1).lowercased() + open.dropFirst()
    }

    private static func choice(_ values: [String]) -> String {
        guard let last = values.last, values.count > 1 else { return values.first ?? "" }
        return values.dropLast().joined(separator: ", ") + " or " + last
    }
}
