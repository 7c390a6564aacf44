/// A file of subtitles that grows by one subtitle after the other. What is of its own format already stays as it is.
struct SubtitleFileText {
    private(set) var count = 0
    /// In nanoseconds.
    private(set) var end: Int64 = 0
    private(set) var losesLooks = false
    private let format: SubtitleFormat
    private let form: SubtitleText.Form
    private let isMoved: Bool
    private let styles: ScriptStyles
    private let head: String
    private var cues = ""
    /// Events of a script, in whose order what is shown at once is stacked.
    private var events: [(order: Int, line: String)] = []

    /// - Parameter isMoved: whether the times are others than those that are written in texts.
    init(_ format: SubtitleFormat, _ source: TextSource, isMoved: Bool) {
        (self.format, form, self.isMoved) = (format, source.form, isMoved)
        let isScript = source.form == .substation
        styles = ScriptStyles(isScript ? source.header : "")
        switch format {
        case .subRip: head = ""
        case .webVTT:
            let keepsHead = !isScript && source.header.hasPrefix("WEBVTT")
            head = (keepsHead ? source.header.trimmed : "WEBVTT") + "\n\n"
        case .script: head = isScript ? ScriptFile(source.header).header : Self.usualScript
        }
        // Fonts, colors and places of its styles.
        if isScript, format != .script { losesLooks = true }
        if form.isWebVTT, format != .webVTT, source.header.contains("STYLE") { losesLooks = true }
    }

    /// As ffmpeg's and libass's usual style looks, at the size of frames that they mean.
    private static let usualScript = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 384
        PlayResY: 288
        ScaledBorderAndShadow: yes

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, \
        ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,Arial,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """

    var text: String {
        let sorted = events.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
        return head + cues + sorted.map(\.element.line).joined()
    }

    /// What is empty is left out.
    mutating func add(_ cue: MovieSubtitles.Cue) {
        let (begin, last) = (cue.begin, cue.begin + (cue.duration ?? 0))
        let (from, to) = (format.time(begin), format.time(last))
        // Shorter than the format counts.
        guard from != to else { return }
        let text = SubtitleText.text(cue.data)
        if format == .script, form == .substation {
            guard let (order, line) = Self.event(text, from, to) else { return }
            events.append((order, line))
        } else {
            let (settings, words) = written(text)
            let lines = words.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
            guard !lines.isEmpty else { return }
            switch format {
            case .subRip: cues += "\(count + 1)\n\(from) --> \(to)\n\(lines.joined(separator: "\n"))\n\n"
            case .webVTT: cues += "\(from) --> \(to)\(settings)\n\(lines.joined(separator: "\n"))\n\n"
            case .script: cues += "Dialogue: 0,\(from),\(to),Default,,0,0,0,,\(lines.joined(separator: "\\N"))\n"
            }
        }
        (count, end) = (count + 1, max(end, last))
    }

    /// - Returns: an event of Matroska's at its place among the others, and as a line; nil for what is none.
    private static func event(_ text: String, _ from: String, _ to: String) -> (order: Int, line: String)? {
        let fields = text.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        guard fields.count == 9 else { return nil }
        let words = fields[8].replacing("\n", with: "\\N")
        guard !words.allSatisfy(\.isWhitespace) else { return nil }
        let line = "Dialogue: \(fields[1]),\(from),\(to),\(fields[2...7].joined(separator: ",")),\(words)\n"
        return (Int(fields[0]) ?? 0, line)
    }

    /// A frame's text as the format writes it, and where it is shown.
    private mutating func written(_ text: String) -> (settings: String, text: String) {
        let styled: StyledText
        switch form {
        case .plain:
            if format == .subRip { return ("", text) }
            styled = StyledText(subRip: text)
        case .substation:
            let fields = text.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
            guard fields.count == 9 else { return ("", "") }
            styled = StyledText(script: fields[8], styles[fields[2]])
        case .webVTT, .webMVTT:
            let (settings, words) = form.parts(text)
            if format == .webVTT {
                return (settings.isEmpty ? "" : " \(settings)", isMoved ? SubtitleText.withoutTimes(words) : words)
            }
            styled = StyledText(webVTT: words, settings: settings)
        }
        guard !styled.isBlank else { return ("", "") }
        losesLooks =
            losesLooks || styled.losesLooks
            || format == .webVTT && styled.runs.contains { $0.look.contains(.struckOut) }
        switch format {
        case .subRip: return ("", styled.subRip)
        case .webVTT: return (styled.webVTTSettings, styled.webVTT)
        case .script: return ("", styled.script.replacing("\\N", with: "\n"))
        }
    }
}

extension SubtitleText.Form {
    fileprivate var isWebVTT: Bool { self == .webVTT || self == .webMVTT }

    /// The settings and the text of a frame of WebVTT.
    fileprivate func parts(_ text: String) -> (settings: String, text: String) {
        guard self == .webMVTT else { return ("", text) }
        let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        return lines.count == 3 ? (String(lines[1]), String(lines[2])) : ("", "")
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
