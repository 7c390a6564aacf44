import ArgumentParser
import Foundation
import LiveActivity
import Threads

/// `rushes activities`: what runs and what ended, in this user's processes.
struct ActivitiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activities",
        abstract: "List and follow what is running and what has ended, in all processes.",
        discussion: """
            Lists what is running and the latest hundred that ended, newest first. What a killed process left is listed as failed.

            EXAMPLES
              rushes activities                        a line for each
              rushes activities --follow               and follow, until interrupted
              rushes activities --json | jq -r .id     the last event of each
              rushes activities --json --follow        every event, one a line
            """)

    @Flag(help: "Print one JSON object a line.") var json = false
    @Flag(help: "Keep running and show what happens, until interrupted.") var follow = false

    func run() async throws {
        try await reportingFailures(verbose: false) {
            if follow { await followAll() } else { try await list() }
        }
    }

    private func list() async throws {
        let records = try await onOwnThread { try ActivityJournal().activities() }
        var failures = ToldFailures()
        for record in records { failures.note(record.last) }
        for record in records {
            if json {
                StandardStreams.printResult(String(decoding: record.line.dropLast(), as: UTF8.self))
            } else {
                StandardStreams.printText(ActivityLine(record, now: Date(), failures).text, indent: 10)
            }
        }
    }

    private func followAll() async {
        // rushes activities --follow | head: this is all that there is to do.
        StandardStreams.endWithReader()
        let terminal = Terminal(STDOUT_FILENO)
        let bar = terminal.isTerminal && !json ? TerminalBar(terminal, named: true) : nil
        // Signals are trapped before the first line is printed.
        let stop = StopRequest<Task<Void, Never>> { $0.cancel() }
        let signals = await StopSignals.watch { await stop.stop() }
        let task = reporter(bar, terminal).follow(ActivityJournal().events())
        await stop.attach(task)
        await task.value
        signals.cancel()
        bar?.clear()
    }

    private func reporter(_ bar: TerminalBar?, _ terminal: Terminal) -> ActivityReporter {
        guard !json else { return .json() }
        let (reporter, failures) = (wordReporter(bar, terminal), Locked(ToldFailures()))
        return ActivityReporter { event in
            let told = failures.withLock { failures in
                failures.note(event)
                return failures.told(event)
            }
            reporter.show(told)
        }
    }

    private func wordReporter(_ bar: TerminalBar?, _ terminal: Terminal) -> ActivityReporter {
        if let bar {
            // Only a start says what it is of.
            let titles = Locked<[String: String]>([:])
            return ActivityReporter { event in
                if let title = event.attributes?.title { titles.withLock { $0[event.id] = title } }
                if event.event == .end {
                    bar.print(ActivityLine.end(event, title: titles.withLock { $0.removeValue(forKey: event.id) }))
                }
                bar.show(event)
            }
        }
        return .progress(.plain, on: terminal, named: true)
    }
}
