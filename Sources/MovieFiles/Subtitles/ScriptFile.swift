import MediaTypes

/// A file of SubStation Alpha as Matroska has it: its events by themselves, and all else before them (matroska.org, "SSA/ASS
/// Subtitles").
struct ScriptFile {
    private(set) var header = ""
    /// In the order of their times.
    private(set) var cues: [MovieSubtitles.Cue] = []
    /// How many events have times that mean nothing.
    private(set) var unread = 0

    /// Whether it is of the format's fourth version, which few programs write any more.
    var isOld: Bool { !header.lowercased().contains("[v4+ styles]") }

    /// What an event has in Matroska, behind its number in the file.
    private static let kept = ["layer", "style", "name", "marginl", "marginr", "marginv", "effect", "text"]
    private static let usualFields = [
        "layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text",
    ]

    init(_ text: String) {
        var isEvents = false
        var fields = Self.usualFields
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("[") { isEvents = line.lowercased().hasPrefix("[events]") }
            guard isEvents else {
                header += line + "\n"
                continue
            }
            if let names = Self.value(of: "format", in: line) {
                fields = names.split(separator: ",").map { Self.name(of: $0) }
            } else if let event = Self.value(of: "dialogue", in: line) {
                add(event, fields)
            }
        }
        let first = isOld ? "Marked" : "Layer"
        header += "[Events]\nFormat: \(first), Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
        cues = cues.enumerated().sorted { ($0.element.begin, $0.offset) < ($1.element.begin, $1.offset) }
            .map(\.element)
    }

    private mutating func add(_ event: Substring, _ fields: [String]) {
        // The text is the last field, and may have commas.
        let values = event.split(separator: ",", maxSplits: fields.count - 1, omittingEmptySubsequences: false)
        guard values.count == fields.count else { return unread += 1 }
        let told = Dictionary(zip(fields, values)) { first, _ in first }
        guard let begin = told["start"].flatMap(Self.time), let end = told["end"].flatMap(Self.time), end > begin else {
            return unread += 1
        }
        let kept = Self.kept.map { name in
            let value = told[name] ?? ""
            return name == "text" ? String(value) : String(value.trimmingPrefix { $0 == " " })
        }
        cues.append(
            .init(
                begin: begin.nanoseconds, duration: (end - begin).nanoseconds,
                data: Array("\(cues.count),\(kept.joined(separator: ","))".utf8)))
    }

    /// Some writers put a colon before the hundredths too.
    private static func time(_ text: Substring) -> MediaTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return TimedText.time(text) }
        return TimedText.time("\(parts[0]):\(parts[1]):\(parts[2]).\(parts[3])")
    }

    private static func value(of key: String, in line: Substring) -> Substring? {
        guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == key else { return nil }
        return line[colon...].dropFirst()
    }

    /// The fourth version's names of the same fields too.
    private static func name(of field: Substring) -> String {
        let name = field.filter { $0 != " " }.lowercased()
        return ["marked": "layer", "actor": "name"][name] ?? name
    }
}
