import MediaTypes

/// What the argument parser says about a wrong command line, as one sentence with the cure.
///
/// The parser's own message is a paragraph: "Error:", perhaps a list of values, "Help:" for the option, "Usage:", and "See
/// 'rushes record --help'". Its errors are not public, so the paragraph is what there is.
struct UsageSentence {
    let text: String

    /// - Parameters:
    ///   - arguments: what was typed, which the parser may have taken for something else.
    ///   - cure: what is to be done about an option that is unknown, without a period; nil where nothing is known of it.
    init(fullMessage: String, arguments: [String] = [], cure: (_ option: String) -> String? = { _ in nil }) {
        // A line break in a value is none of the paragraph's.
        let values = arguments.compactMap { $0.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init) }
        let broken = (arguments + values).filter { $0.contains(where: \.isNewline) }
        let message = broken.reduce(fullMessage) { $0.replacing($1, with: Sentence.printable($1)) }
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let body = lines.prefix { !$0.hasPrefix("Usage:") && !$0.hasPrefix("Help:") }
        let first = body.first.map { $0.hasPrefix("Error: ") ? String($0.dropFirst(7)) : $0 } ?? ""
        text = Sentence(Self.words(first, lines, body.dropFirst(), arguments, cure)).text
    }

    /// - Parameters:
    ///   - message: what is wrong.
    ///   - lines: of the whole paragraph.
    ///   - list: of what follows the message.
    private static func words(
        _ message: String, _ lines: [String], _ list: ArraySlice<String>, _ arguments: [String],
        _ cure: (_ option: String) -> String?
    ) -> String {
        if let file = dashedFile(message, arguments) {
            return "\(file.option) is missing its value; to name a file that begins with a dash, write './\(file.name)'"
        }
        if let value = negative(message, arguments) {
            return "\(value.option) cannot be negative; '\(value.number)' is"
        }
        if let match = message.firstMatch(of: #/^The value '(.*)' is invalid for '(-*<?[\w-]+>?)[^']*'/#) {
            if match.1.isEmpty { return "\(match.2) cannot be empty" }
            if let file = NoFile(String(match.1)) { return "\(match.2) cannot be '\(match.1)'; \(file.cure)" }
            let values = list.compactMap { $0.hasPrefix("  - ") ? String($0.dropFirst(4)) : nil }
            // Few values stand in the line itself, many in a list below it.
            let inLine = message.firstMatch(of: #/Please provide one of (.+?)\.?$/#).map { match in
                match.1.matches(of: #/'([^']+)'/#).map { String($0.1) }
            }
            let choices = values.isEmpty ? inLine ?? [] : values
            let help = lines.first { $0.hasPrefix("Help:") }.flatMap { OptionHelp($0) }
            return "\(match.2) cannot be '\(match.1)'"
                + (choices.isEmpty ? help?.cure ?? "" : "; it is \(OptionHelp.choice(choices))")
        }
        if let name = message.firstMatch(of: #/^Unknown option '(--?[\w:-]+)'/#).map({ String($0.1) }),
            let cure = cure(name)
        {
            return "Unknown option '\(name)'; \(cure)"
        }
        let page = lines.lazy.compactMap { $0.firstMatch(of: #/See '(.+)' for more/#).map { String($0.1) } }.first
        let near = withNearSuggestion(message)
        guard let page, !Sentence.isClosed(near) else { return near }
        return "\(near); see '\(page)'"
    }

    private static func missing(_ message: String) -> (option: String, form: String)? {
        message.firstMatch(of: #/^Missing value for '(--?[\w-]+)(?: <([^>]*)>)?/#).map {
            (String($0.1), String($0.2 ?? ""))
        }
    }

    /// A file whose name begins with a dash is read as another option.
    private static func dashedFile(_ message: String, _ arguments: [String]) -> (option: String, name: String)? {
        guard let missing = missing(message), ["file", "folder", "path"].contains(where: missing.form.hasPrefix),
            let name = zip(arguments, arguments.dropFirst()).first(where: { $0.0 == missing.option })?.1,
            name.hasPrefix("-"), name.count > 1, !name.hasPrefix("--")
        else { return nil }
        return (missing.option, name)
    }

    /// A negative number behind an option that takes none is read as another option, and a value as missing.
    private static func negative(_ message: String, _ arguments: [String]) -> (option: String, number: String)? {
        let missing = missing(message)?.option
        // With an equals sign it is a value that cannot be.
        let pairs =
            zip(arguments, arguments.dropFirst()).map { (option: $0, number: $1) }
            + arguments.compactMap { word in
                word.firstMatch(of: #/^(--[\w-]+)=(.+)$/#).map { (option: String($0.1), number: String($0.2)) }
            }
        return pairs.first { pair in
            !signed.contains(pair.option) && pair.number.wholeMatch(of: #/-[\d.:]+[A-Za-z]*/#) != nil
                && (pair.option == missing
                    || message.hasPrefix("The value '\(pair.number)' is invalid for '\(pair.option)"))
        }
    }

    /// Options whose values may be negative: those that read whatever follows them.
    private static let signed: Set<String> = ["--align", "--audio-delay", "--gain", "--location", "--loudness"]

    /// The parser suggests an option however far it is from what was typed.
    private static func withNearSuggestion(_ message: String) -> String {
        guard let match = message.firstMatch(of: #/^(.*'(-*[\w-]+)')\. Did you mean '(-*[\w-]+)'\?$/#) else {
            return message
        }
        let (typed, suggested) = (match.2.drop { $0 == "-" }, match.3.drop { $0 == "-" })
        return Spelling.isNear(String(typed), String(suggested), oneIn: 2)
            ? "\(match.1); did you mean '\(match.3)'?" : "\(match.1)"
    }
}

/// What the parser tells of an option whose value is wrong: "Help:  --size <WxH>  The camera's frame size, such as 1920x1080."
struct OptionHelp {
    /// "WxH".
    private let form: String
    private let words: Substring

    /// - Returns: `nil` for another line.
    init?(_ line: String) {
        let parts = line.dropFirst("Help:".count).drop { $0 == " " }.split(separator: "  ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        form = parts[0].firstMatch(of: #/<([^>]*)>/#).map { String($0.1) } ?? ""
        words = parts[1].trimmingPrefix { $0 == " " }
    }

    /// How the value is written, and what it is, to follow what it cannot be.
    var cure: String {
        if form == "WxH" { return "; it is WIDTHxHEIGHT with 1 to 65535 each, such as 1920x1080" }
        guard let kind else { return " (\(summary))" }
        return "; it is \(kind)" + (summary.count > Self.longest ? "" : " (\(summary))")
    }

    /// Where the form says more than "file" or "rate" would: "x=%,y=%,width=%", "8 or 10".
    private var kind: String? {
        let parts = form.split(separator: "|").map { $0 == "n" ? "a number" : String($0) }
        let isTelling = parts.count > 1 || form == "n" || form.contains { !$0.isLetter && !$0.isNumber && $0 != "." }
        return isTelling ? Self.choice(parts) : nil
    }

    /// In characters: what is longer stands in the help.
    private static let longest = 120

    /// Its first sentence without the period, to stand in parentheses.
    private var summary: String {
        let first = words.firstRange(of: ". ").map { words[..<$0.lowerBound] } ?? words
        let open = first.hasSuffix(".") ? first.dropLast() : first
        return open.prefix(1).lowercased() + open.dropFirst()
    }

    static func choice(_ values: [String]) -> String {
        guard let last = values.last, values.count > 1 else { return values.first ?? "" }
        return values.dropLast().joined(separator: ", ") + " or " + last
    }
}
