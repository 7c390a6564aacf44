/// An element of an XML file: what it holds is escaped, whatever it is.
struct XMLElement {
    private let name: String
    private let attributes: [(String, String)]
    private let children: [XMLElement]
    private let text: String?

    /// - Parameter attributes: in the order in which they are to be written.
    init(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ children: [XMLElement] = []) {
        (self.name, self.attributes, self.children) = (name, attributes.map { ($0, $1) }, children)
        text = nil
    }

    /// MLT's settings.
    static func property(_ name: String, _ value: String) -> XMLElement { XMLElement(property: name, value) }

    private init(property: String, _ value: String) {
        (name, attributes, children, text) = ("property", [("name", property)], [], value)
    }

    /// Lines of text, the element's own and those of what it holds.
    func lines(indent: String = "") -> [String] {
        let tag = attributes.reduce("\(indent)<\(name)") { "\($0) \($1.0)=\"\(Self.escaped($1.1))\"" }
        if let text { return ["\(tag)>\(Self.escaped(text))</\(name)>"] }
        if children.isEmpty { return ["\(tag)/>"] }
        return ["\(tag)>"] + children.flatMap { $0.lines(indent: indent + " ") } + ["\(indent)</\(name)>"]
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // A reader makes a space of what is not told by its number.
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            // XML has no way to say them.
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
