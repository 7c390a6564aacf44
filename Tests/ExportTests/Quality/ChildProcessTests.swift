import Errors
import Foundation
import Threads
import Testing

@testable import Export

/// Other programs end with what wants them.
@Suite(.timeLimit(.minutes(10))) struct ChildProcessTests {
    private func run(
        _ script: String, within limit: Duration = .seconds(60), while goesOn: @escaping @Sendable () -> Bool = { true }
    )
        async throws -> ChildProcess
    {
        try await onOwnThread { try ChildProcess("sh", ["-c", script], within: limit, while: goesOn) }
    }

    @Test func `words and status come back, and arguments are no shell's`() async throws {
        let result = try await run("echo one; echo two >&2; exit 3")
        #expect(result.status == 3 && result.words == "one\ntwo\n")
        #expect(try await run("kill -9 $$").status == -9)
        let plain = try await onOwnThread {
            try ChildProcess("echo", ["$HOME; \"it's\""], within: .seconds(60)) { true }
        }
        #expect(plain.words == "$HOME; \"it's\"\n")
        #expect(try await run("head -c 300000 /dev/zero").words.utf8.count == 300_000)
    }

    @Test func `one that is not wanted any more is ended`() async throws {
        await #expect(throws: CancellationError.self) { try await run("exec sleep 600") { false } }
        let error = await #expect(throws: RushesError.self) {
            try await run("exec sleep 600", within: .milliseconds(300))
        }
        #expect(error?.code == .stalled)
    }

    @Test func `one that is missing is named`() async throws {
        let error = await #expect(throws: RushesError.self) {
            try await onOwnThread { try ChildProcess("no-such-program", [], within: .seconds(10)) { true } }
        }
        #expect(error?.description.contains("no-such-program") == true)
    }
}
