/// The words of a gst-launch command line, quoted so that the shell, gst-launch and its parser read them as they are meant.
///
/// Three readers stand in a row. The shell takes single quotes off. gst-launch puts a backslash before each space that is
/// not inside double quotes, and joins the words. The parser ends a word at white space, takes off one pair of double
/// quotes, and lets a backslash protect what follows it.
enum LaunchText {
    /// `name=value` as one word for the shell.
    static func assignment(_ name: String, _ value: String) -> String { shell("\(name)=\(parser(property(value)))") }

    /// A word as the shell must see it.
    static func shell(_ word: String) -> String {
        isPlain(word) ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }

    /// A launch line that a person wrote, word by word for the shell; spaces inside double quotes do not end a word.
    static func words(of line: String) -> String {
        var words = [""]
        var isQuoted = false
        var previous: Character = " "
        for character in line {
            if character == "\"", !isQuoted || previous != "\\" { isQuoted.toggle() }
            previous = character
            if character.isWhitespace, !isQuoted { words.append("") } else { words[words.count - 1].append(character) }
        }
        return words.filter { !$0.isEmpty }.map { $0 == "!" ? $0 : shell($0) }.joined(separator: " ")
    }

    /// Caps without the spaces that GStreamer prints: its own parser stumbles over some of them.
    static func caps(_ caps: Caps) -> String {
        var isQuoted = false
        var previous: Character = " "
        return caps.description.filter { character in
            defer { previous = character }
            if character == "\"", previous != "\\" { isQuoted.toggle() }
            return isQuoted || character != " "
        }
    }

    /// A string property's value as GStreamer would serialize it: two spellings stand for something else.
    private static func property(_ value: String) -> String {
        let isMisread = value == "NULL" || (value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\""))
        return isMisread ? "\"" + escaped(value) + "\"" : value
    }

    private static func parser(_ value: String) -> String {
        isPlain(value) ? value : "\"" + escaped(value) + "\""
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#)
    }

    /// Whether a word means itself to all three.
    private static func isPlain(_ word: String) -> Bool {
        !word.isEmpty
            && word.unicodeScalars.allSatisfy { scalar in
                ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                    || "-_./:+%@,=".unicodeScalars.contains(scalar)
            }
    }
}

extension PipelineDescription {
    /// The pipeline as a person would type it in a shell after `gst-launch-1.0`, one chain a line.
    package var launchText: String {
        chains.map { chain in
            chain.indices.map { index in
                // Bare caps are read between two elements only, and of one media type only.
                chain[index].launchText(isBetween: index > chain.startIndex && index < chain.endIndex - 1)
            }.joined(separator: " ! ")
        }.joined(separator: "  \\\n  ")
    }
}

extension PipelineDescription.Node {
    fileprivate func launchText(isBetween: Bool) -> String {
        switch self {
        case .element(let factory, let name, let properties):
            var words = [factory]
            if let name { words.append(LaunchText.assignment("name", name)) }
            words += properties.map { property in
                if case .caps(let caps) = property.value {
                    return LaunchText.assignment(property.name, LaunchText.caps(caps))
                }
                return LaunchText.assignment(property.name, property.value.description)
            }
            return words.joined(separator: " ")
        case .caps(let caps):
            let isBare = isBetween && caps.structures.count == 1 && !caps.isAny
            return isBare
                ? LaunchText.shell(LaunchText.caps(caps))
                : "capsfilter " + LaunchText.assignment("caps", LaunchText.caps(caps))
        case .launchLine(let line): return LaunchText.words(of: line)
        case .pad(let element, let template): return "\(element).\(template)"
        }
    }
}
