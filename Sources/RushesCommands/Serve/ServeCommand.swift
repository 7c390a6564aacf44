import ActivityPage
import ArgumentParser
import Foundation
import LiveActivity
import Threads

/// `rushes serve`: what runs and what ended, as a web page.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Show what is running and what has ended on a web page.",
        discussion: """
            The page shows live what 'rushes activities' lists, and can pause, stop and cancel it, recover a recording that was killed, and start a failed export again. Its link is printed, and \
            where others can reach it also a QR code for a phone. The link holds a token that is new each time; whoever \
            has it may look, control activities and open results. On this machine alone (127.0.0.1) looking needs none, but then all of its users can look. Scripts send the token as a header: 'Authorization: Bearer TOKEN'.

            The page is not encrypted: listen beyond this machine only in networks you trust.

            EXAMPLES
              rushes serve                             for a browser on this machine
              rushes serve --listen 0.0.0.0:8090       for a phone on the same network
              rushes serve --listen 127.0.0.1:0        on any free port
            """)

    @Option(
        help: ArgumentHelp(
            "Where to listen: ADDRESS:PORT, with an address of this machine in digits or 0.0.0.0 for all.",
            valueName: "address"))
    var listen = PageAddress.standard

    func run() async throws {
        try await reportingFailures(verbose: false) {
            let journal = ActivityJournal()
            let feed = ActivityFeed()
            let server = PageServer(
                feed: feed, address: listen, remedies: Remedies(journal: journal, feed: feed).page,
                offers: { id in
                    let living = try? await onOwnThread { try journal.activities(finished: 0) }
                    return living?.first { $0.id == id }?.controls ?? []
                },
                control: { try await journal.control($0, $1) })
            try await server.start()
            let following = Task { await feed.follow(journal.events()) }
            let stopped = AsyncStream.makeStream(of: Void.self)
            let signals = await StopSignals.watch {
                // The page holds nothing that could be lost: who asks for its end gets it, whatever still hangs.
                OwnThread.run("rushes-end") {
                    OwnThread.sleep(.seconds(2))
                    _exit(0)
                }
                stopped.continuation.finish()
            }
            tell(await server.address, server.token)
            for await _ in stopped.stream {}
            signals.cancel()
            following.cancel()
            await server.stop()
        }
    }

    private func tell(_ address: PageAddress, _ token: AccessToken) {
        let link = address.link(token: token)
        if !address.isLoopback, isatty(STDOUT_FILENO) == 1, let code = QRCode(link) {
            for line in code.lines { StandardStreams.printResult(line) }
        }
        StandardStreams.printResult(link)
        StandardStreams.printNote("Press Ctrl-C to stop serving.")
    }
}
