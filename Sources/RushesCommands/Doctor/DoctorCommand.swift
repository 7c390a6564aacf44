import ArgumentParser
import Foundation
import LiveActivity

/// `rushes doctor`: what this machine can record and write, and what to install for the rest.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check what works on this machine, and what to install for the rest.",
        discussion: """
            A line for each: cameras and microphones, what a recording can be encoded with in time, which codecs can be written \
            and read, and the disk. A cross says what to do about it.

            EXAMPLES
              rushes doctor
              rushes doctor --json | jq -r 'select(.good | not) | .text'

            EXIT STATUS
              0    movies can be made here
              1    something is missing without which none can
            """)

    @Flag(help: "Print one JSON object per finding and line.") var json = false

    func run() async throws {
        try await reportingFailures(verbose: false) {
            let findings = try await Checkup.findings()
            let terminal = Terminal(STDOUT_FILENO)
            let isASCII = terminal.isASCII
            let width = findings.map(\.subject.count).max() ?? 0
            // A second column has no space on a narrow terminal.
            let isNarrow = terminal.size.map { $0.columns < width + 36 } ?? false
            for finding in findings {
                let mark = finding.isGood ? isASCII ? "ok" : "✓" : isASCII ? "--" : "✗"
                if json {
                    StandardStreams.printResult(try JSONText.line(finding))
                    continue
                }
                let subject = finding.subject.padding(toLength: width, withPad: " ", startingAt: 0)
                StandardStreams.printText(
                    isNarrow ? "  \(finding.subject): \(finding.text)" : "  \(subject)  \(finding.text)",
                    mark: (mark, finding.isGood ? .good : .bad), indent: mark.count + (isNarrow ? 2 : width + 4))
            }
            guard findings.allSatisfy({ $0.isGood || !$0.isNeeded }) else { throw ExitCode.failure }
        }
    }
}
