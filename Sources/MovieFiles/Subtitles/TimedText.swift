import MediaTypes

/// A text of a file of SubRip or WebVTT.
struct TimedText: Sendable {
    let begin: MediaTime
    let end: MediaTime
    /// Where it is shown and how, in WebVTT's words; may be empty.
    let settings: String
    private(set) var lines: [Substring] = []

    var text: String { lines.joined(separator: "\n") }

    /// - Parameter line: such as "00:00:01,200 --> 00:00:02,000 align:start"; nil for any other.
    private init?(times line: Substring) {
        guard let arrow = line.firstRange(of: "-->"), let begin = Self.time(line[..<arrow.lowerBound]) else {
            return nil
        }
        let rest = line[arrow.upperBound...].drop(while: \.isWhitespace)
        guard let end = Self.time(rest) else { return nil }
        (self.begin, self.end) = (begin, end)
        settings = rest.drop { !$0.isWhitespace }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The texts between lines of times and empty lines, in the order of their times, and how many have times that mean nothing.
    static func all(in file: String) -> (texts: [TimedText], unread: Int) {
        var (texts, unread): ([TimedText], Int) = ([], 0)
        var current: TimedText?
        func finish() {
            guard let text = current, !text.lines.isEmpty else { return }
            guard text.end > text.begin else { return unread += 1 }
            texts.append(text)
        }
        for line in file.split(separator: "\n", omittingEmptySubsequences: false) {
            if let next = TimedText(times: line) {
                // The number of this one, where no empty line stands before it.
                if let last = current?.lines.last, last.allSatisfy(\.isNumber), !last.isEmpty {
                    current?.lines.removeLast()
                }
                finish()
                current = next
            } else if line.contains("-->") {
                finish()
                (current, unread) = (nil, unread + 1)
            } else if line.allSatisfy(\.isWhitespace) {
                finish()
                current = nil
            } else {
                current?.lines.append(line)
            }
        }
        finish()
        let sorted = texts.enumerated().sorted { ($0.element.begin, $0.offset) < ($1.element.begin, $1.offset) }
        return (sorted.map(\.element), unread)
    }

    /// - Parameter text: hours, minutes and seconds, of which hours may be missing; what follows a space does not count.
    static func time(_ text: Substring) -> MediaTime? {
        guard let word = text.split(whereSeparator: \.isWhitespace).first else { return nil }
        let parts = word.replacing(",", with: ".").split(separator: ":").map { Double($0) }
        guard (2...3).contains(parts.count), !parts.contains(where: { $0.map { !(0..<1e6).contains($0) } ?? true })
        else { return nil }
        return MediaTime(seconds: parts.reduce(0) { $0 * 60 + ($1 ?? 0) })
    }
}

extension SubtitleStream.Packet {
    init(_ text: TimedText) {
        self.init(begin: text.begin, duration: text.end - text.begin, data: Array(text.text.utf8))
    }
}
