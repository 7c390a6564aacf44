import Foundation
import LiveActivity

/// The argument parser's help, whose usage breaks between options, as everything else in it does: the parser leaves that in one line.
struct HelpText {
    let text: String

    init(_ help: String, columns: Int = HelpText.columns) {
        text = help.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("USAGE: ") ? Self.broken(String($0), columns) : String($0) }.joined(separator: "\n")
    }

    private static func broken(_ usage: String, _ columns: Int) -> String {
        // What stands in brackets, and an option with its value, stay together.
        let parts = usage.replacing(#/\[[^\]]*\]|--?[\w-]+ <[^>]*>/#) { $0.output.replacing(" ", with: "\u{a0}") }
        return TerminalText.wrapped(parts, to: columns, indent: 2).replacing("\u{a0}", with: " ")
    }

    /// As the parser counts them.
    private static var columns: Int {
        let told = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
        return told ?? Terminal(STDOUT_FILENO).size?.columns ?? 80
    }
}
