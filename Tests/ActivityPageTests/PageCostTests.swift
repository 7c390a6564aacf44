import Foundation
import LiveActivity
import TestSupport
import Testing

@testable import ActivityPage

/// What open pages cost, measured only when asked for: `RUSHES_MEASURE=1 swift test -c release -Xswiftc -enable-testing
/// --filter PageCostTests`.
@Suite(
    .enabled(if: ProcessInfo.processInfo.environment["RUSHES_MEASURE"] != nil, "measured only where nothing else runs"),
    .timeLimit(.minutes(10)))
struct PageCostTests {
    @Test func `a hundred readers at ten updates a second`() async throws {
        let page = try await RunningPage()
        let export = Export("one")
        page.feed.publish(export.start())
        // In processes of their own: what they cost is not the page's.
        let readers = try (0..<100).map { _ in
            try RunningCommand("curl", ["-sN", "-o", "/dev/null", "\(page.link)events"])
        }
        try await publish(export, seconds: 3, to: page)
        let before = Self.cpuSeconds()
        try await publish(export, seconds: 20, to: page)
        let share = (Self.cpuSeconds() - before) / 20
        print("100 readers, 10 updates a second: \((share * 1000).rounded() / 10) % of a core")
        #expect(readers.allSatisfy { $0.isRunning })
        for reader in readers { reader.signal(SIGTERM) }
        await page.server.stop()
    }

    private func publish(_ export: Export, seconds: Int, to page: RunningPage) async throws {
        for done in 0..<seconds * 10 {
            page.feed.publish(export.update(done % 200) { $0.subtitle = "Exporting \(done)/200" })
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private static func cpuSeconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
