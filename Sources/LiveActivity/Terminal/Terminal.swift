import Foundation

/// What the other end of a file descriptor is, and what it can draw.
package struct Terminal: Sendable {
    /// What is written to.
    package let descriptor: Int32
    /// Whether a person sees it and it can go back to the beginning of its line.
    package let isTerminal: Bool
    /// Whether it shows progress in its tab or on the dock (the control sequence OSC 9;4).
    let drawsProgress: Bool
    /// Whether only ASCII can be relied on.
    package let isASCII: Bool
    /// Whether colors are seen and wanted: on a terminal, but where `NO_COLOR` says otherwise (no-color.org).
    package let hasColor: Bool

    /// Looks at standard error unless told otherwise.
    package init(_ descriptor: Int32 = 2) {
        self.init(descriptor, isTerminal: isatty(descriptor) == 1, environment: ProcessInfo.processInfo.environment)
    }

    init(_ descriptor: Int32, isTerminal: Bool, environment: [String: String]) {
        self.descriptor = descriptor
        // A dumb terminal cannot go back to the beginning of its line.
        self.isTerminal = isTerminal && environment["TERM"] != "dumb"
        drawsProgress = self.isTerminal && Terminal.drawsProgress(environment)
        hasColor = self.isTerminal && (environment["NO_COLOR"] ?? "").isEmpty
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        isASCII = !["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
    }

    /// The columns and rows now, or `nil` if nobody knows; the window may change at any time.
    package var size: (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// Whether what is drawn there stands in nobody's way: false where a person has sent this process to the background, and types the
    /// next command.
    var isInForeground: Bool {
        let group = tcgetpgrp(descriptor)
        // Of a terminal that is not this session's nobody says so.
        return group < 0 || group == getpgrp()
    }

    /// Writes all of it. False once nobody reads any more; whoever writes long ignores SIGPIPE.
    func write(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 else {
                if errno == EINTR { continue }
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Only terminals known to draw it: others print it, or pop up a notification with its text.
    private static func drawsProgress(_ environment: [String: String]) -> Bool {
        if ["WezTerm", "ghostty"].contains(environment["TERM_PROGRAM"]) { return true }
        if environment["WT_SESSION"] != nil || environment["ConEmuANSI"] == "ON" { return true }
        // Version 48 of Ptyxis and 0.80 of VTE, the terminal of GNOME.
        if number(environment["PTYXIS_VERSION"]) >= 48 || number(environment["VTE_VERSION"]) >= 8000 { return true }
        return features(environment["TERM_FEATURES"] ?? "").contains("P")
    }

    /// iTerm's list: each feature is a capital letter, then small letters and digits ("T3LrMSc7P").
    private static func features(_ text: String) -> [String] {
        text.reduce(into: []) { features, character in
            if character.isUppercase || features.isEmpty { features.append("") }
            if !character.isNumber { features[features.count - 1].append(character) }
        }
    }

    private static func number(_ text: String?) -> Int { text.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0 }
}

/// How progress is shown to a person.
public enum ProgressStyle: String, Sendable, CaseIterable {
    /// A bar on a terminal, plain lines elsewhere.
    case auto
    /// One line that is drawn again and again.
    case bar
    /// A line now and then.
    case plain
    case none

    /// Never `auto`; a bar only where a line can be drawn again.
    package func resolved(on terminal: Terminal) -> ProgressStyle {
        switch self {
        case .auto, .bar: terminal.isTerminal ? .bar : .plain
        case .plain, .none: self
        }
    }
}
