import MediaTypes

/// What the argument parser says about a wrong command line, as one sentence with the cure.
///
/// The parser's own message is a paragraph: "Error:", perhaps a list of values, "Help:" for the option, "Usage:", and "See
/// 'rushes record --help'". Its errors are not public, so the paragraph is what there is.
struct UsageSentence {
    let text: String

    /// - Parameter arguments: what was typed, which the parser may have taken for something else.
    init(fullMessage: String, arguments: [String] = []) {
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

        if let value = Self.negative(message, arguments) {
            message = "\(value.option) cannot be negative; '\(value.number)' is"
        } else if let match = message.firstMatch(of: #/^The value '(.*)' is invalid for '(-*<?[\w-]+>?)[^']*'/#) {
            message = "\(match.2) cannot be '\(match.1)'"
            if !choices.isEmpty {
                message += "; it is \(Self.choice(choices))"
            } else if let help {
                message += " (\(help))"
            }
        } else {
            message = Self.withNearSuggestion(message)
            if let page, !Sentence.isClosed(message) { message += "; see '\(page)'" }
        }
        text = Sentence(message).text
    }

    /// A negative number behind an option that takes none is read as another option, and a value as missing.
    private static func negative(_ message: String, _ arguments: [String]) -> (option: String, number: String)? {
        let missing = message.firstMatch(of: #/^Missing value for '(--[\w-]+)/#).map { String($0.1) }
        // With an equals sign it is a value that cannot be.
        let pairs =
            zip(arguments, arguments.dropFirst()).map { (option: $0, number: $1) }
            + arguments.compactMap { word in
                word.firstMatch(of: #/^(--[\w-]+)=(.+)$/#).map { (option: String($0.1), number: String($0.2)) }
            }
        return pairs.first { pair in
            pair.number.wholeMatch(of: #/-[\d.:]+[A-Za-z]*/#) != nil
                && (pair.option == missing
                    || message.hasPrefix("The value '\(pair.number)' is invalid for '\(pair.option)"))
        }
    }

    /// The parser suggests an option however far it is from what was typed.
    private static func withNearSuggestion(_ message: String) -> String {
        guard let match = message.firstMatch(of: #/^(.*'(-*[\w-]+)')\. Did you mean '(-*[\w-]+)'\?$/#) else {
            return message
        }
        let (typed, suggested) = (match.2.drop { $0 == "-" }, match.3.drop { $0 == "-" })
        return Spelling.isNear(String(typed), String(suggested), oneIn: 2)
            ? "\(match.1); did you mean '\(match.3)'?" : "\(match.1)"
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
