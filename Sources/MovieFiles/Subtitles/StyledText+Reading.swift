import Foundation

/// How the formats write their texts.
extension StyledText {
    /// SubRip's tags, and what it writes in SubStation Alpha's way in braces.
    init(subRip text: String) {
        self.init()
        read(tagged: text, entities: false) { (styled: inout StyledText, text: String, look: Look) in
            var override = Override(look)
            styled.read(overridden: text, &override, isScript: false)
        }
    }

    /// WebVTT's tags and entities.
    ///
    /// - Parameter settings: where it is shown, in WebVTT's words.
    init(webVTT text: String, settings: String) {
        self.init()
        read(tagged: text, entities: true) { $0.append(SubtitleText.withoutEntities($1), $2) }
        losesLooks = losesLooks || !settings.isEmpty
    }

    /// The text of an event of SubStation Alpha.
    ///
    /// - Parameter look: of its style.
    init(script text: some StringProtocol, _ look: Look) {
        self.init()
        var override = Override(look)
        read(overridden: String(text), &override, isScript: true)
    }

    /// What is between tags is handed on with the looks that they open.
    private mutating func read(
        tagged text: String, entities: Bool, _ add: (inout StyledText, String, Look) -> Void
    ) {
        var open: [Look] = []
        var rest = text[...]
        func look() -> Look { open.reduce(into: []) { $0.formUnion($1) } }
        while let start = rest.firstIndex(of: "<") {
            add(&self, String(rest[..<start]), look())
            let behind = rest[start...].dropFirst()
            let isClosing = behind.first == "/"
            let name = behind.drop { $0 == "/" }
            // A sign that is no tag's, as in "a < b", stays, and so does one that nothing ends.
            guard name.first?.isLetter == true || entities && name.first?.isNumber == true,
                let end = behind.firstIndex(of: ">")
            else {
                add(&self, "<", look())
                rest = behind
                continue
            }
            let known = Look(letter: name.prefix { $0.isLetter && $0 < "\u{7F}" })
            if let known, isClosing {
                open.lastIndex(of: known).map { _ = open.remove(at: $0) }
            } else if let known {
                open.append(known)
            } else if !isClosing {
                losesLooks = true
            }
            rest = behind[end...].dropFirst()
        }
        add(&self, String(rest), look())
    }

    /// How a text goes on.
    private struct Override {
        let style: Look
        var look: Look
        /// Lines and curves are drawn, in place of letters.
        var isDrawing = false

        init(_ style: Look) { (self.style, look) = (style, style) }
    }

    /// - Parameter isScript: whether it may draw, and writes line breaks with letters.
    private mutating func read(overridden text: String, _ override: inout Override, isScript: Bool) {
        func plain(_ text: Substring) -> String {
            guard isScript else { return String(text) }
            return String(text).replacing("\\N", with: "\n").replacing("\\n", with: "\n").replacing(
                "\\h", with: "\u{A0}")
        }
        var rest = text[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let inside = rest[start..<end].dropFirst()
            guard isScript || inside.first == "\\" else {
                append(rest[...end], override.look)
                rest = rest[end...].dropFirst()
                continue
            }
            if !override.isDrawing { append(plain(rest[..<start]), override.look) }
            for command in inside.split(separator: "\\") { read(command, &override) }
            rest = rest[end...].dropFirst()
        }
        if !override.isDrawing { append(plain(rest), override.look) }
    }

    /// - Parameter command: an override without its stroke, such as "i1" or "an8".
    private mutating func read(_ command: Substring, _ override: inout Override) {
        let name = command.prefix { $0.isLetter }
        let value = Int(command.dropFirst(name.count))
        if let look = Look(letter: name) {
            // Bold may have a weight.
            let isOn = value.map { $0 == 1 || $0 > 500 } ?? override.style.contains(look)
            if isOn { override.look.insert(look) } else { override.look.remove(look) }
        } else if name == "an", let value, (1...9).contains(value) {
            if place == nil { place = value }
        } else if name == "p", let value {
            override.isDrawing = value > 0
            losesLooks = true
        } else {
            if name.first == "r" { override.look = override.style }
            losesLooks = true
        }
    }
}

/// How a script's styles look, by their names.
struct ScriptStyles: Sendable {
    private var looks: [String: StyledText.Look] = [:]

    /// - Parameter header: all of the script but its events.
    init(_ header: String) {
        var fields: [String] = []
        for line in header.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let values = line[colon...].dropFirst().split(separator: ",", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            switch line[..<colon].lowercased() {
            case "format" where looks.isEmpty: fields = values.map { $0.lowercased() }
            case "style":
                let told = Dictionary(zip(fields, values)) { first, _ in first }
                guard let name = told["name"] else { continue }
                let named: [(String, StyledText.Look)] = [
                    ("bold", .bold), ("italic", .italic), ("underline", .underlined), ("strikeout", .struckOut),
                ]
                looks[name] = named.reduce(into: []) { look, next in
                    // Yes is -1, and some write 1.
                    if let value = told[next.0].flatMap({ Int($0) }), value != 0 { look.insert(next.1) }
                }
            default: break
            }
        }
    }

    subscript(name: some StringProtocol) -> StyledText.Look {
        looks[String(name.trimmingPrefix("*"))] ?? looks["Default"] ?? []
    }
}
