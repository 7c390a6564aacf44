import Threads
public import Foundation

/// A program that runs: its lines as they come, signals to it, and its end within a stated time.
///
/// Started by `posix_spawn`, so that a test decides about signals: the child begins with none blocked or ignored.
public final class RunningCommand: Sendable {
    /// The lines of standard output as they come, without their ends; finishes when the output is closed. One reader only.
    public let lines: AsyncStream<String>
    public let pid: pid_t
    private let command: [String]
    private let input: Locked<Int32?>
    private let state = Locked(State())
    private let openStreams: Locked<Int>

    private static let state = try? TemporaryFolder()

    private struct State {
        var output = Data()
        var errors = Data()
        var status: Int32?
        var waiters: [UUID: CheckedContinuation<Bool, Never>] = [:]
    }

    /// - Parameter longest: How long it may run: then it is aborted, so that Swift's runtime prints where each of its threads stands, and
    ///   its lines end. `nil`: as long as it likes.
    public init(
        _ name: String, _ arguments: [String] = [], environment changes: [String: String?] = [:], folder: String? = nil,
        longest: Duration? = nil
    ) throws {
        var environment = ProcessInfo.processInfo.environment
        // No take of a test among the activities of the person who runs it, however it is started.
        environment["XDG_STATE_HOME"] = Self.state?.path
        for (key, value) in changes { environment[key] = value }
        guard let path = Tool.path(of: name, in: environment) else { throw ToolError.missing(name) }
        let input = try Self.makePipe()
        let output = try Self.makePipe()
        let errors = try Self.makePipe()
        // env changes the folder and then becomes the program, so the process id is the program's.
        let line = (folder.map { ["/usr/bin/env", "--chdir=\($0)"] } ?? []) + [path] + arguments
        let result = Self.spawn(line, environment, input: input.read, output: output.write, errors: errors.write)
        for end in [input.read, output.write, errors.write] { close(end) }
        guard result.code == 0 else {
            for end in [input.write, output.read, errors.read] { close(end) }
            throw ToolError.couldNotStart(name, code: result.code)
        }
        let (lines, continuation) = AsyncStream.makeStream(of: Data.self)
        // They become text as they are read, if they are: of frames each byte that is none costs a backtrace, as Swift throws within.
        self.lines = AsyncStream {
            var iterator = lines.makeAsyncIterator()
            return await iterator.next().map { String(decoding: $0, as: UTF8.self) }
        }
        self.pid = result.pid
        self.command = line
        self.input = Locked(input.write)
        self.openStreams = Locked(2)
        Self.onThread("standard output") { [self] in
            var rest = Data()
            Self.readAll(output.read, signals: longest.map { [($0, SIGABRT), (.seconds(60), SIGKILL)] } ?? []) {
                signal($0)
            } use: { data in
                state.withLock { $0.output.append(data) }
                var start = data.startIndex
                while let end = data[start...].firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(rest + data[start..<end])
                    (rest, start) = (Data(), data.index(after: end))
                }
                rest.append(data[start...])
            }
            if !rest.isEmpty { continuation.yield(rest) }
            continuation.finish()
            streamEnded()
        }
        Self.onThread("standard error") { [self] in
            Self.readAll(errors.read, use: { data in state.withLock { $0.errors.append(data) } })
            streamEnded()
        }
    }

    deinit { closeInput() }

    /// What the program has printed to standard error so far.
    public var errors: String { state.withLock { String(decoding: $0.errors, as: UTF8.self) } }
    /// What the program has printed to standard output so far.
    public var text: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }
    /// Whether it has not ended yet.
    public var isRunning: Bool { state.withLock { $0.status == nil } }

    /// The same, for no longer than a limit: what is waited for in them may never come, while they come for ever. The program is
    /// killed then, and ``ToolError/timedOut(_:after:)`` thrown, which says what it printed last.
    public func lines(within limit: Duration) -> AsyncThrowingStream<String, any Error> {
        let (limited, continuation) = AsyncThrowingStream.makeStream(of: String.self)
        let reader = Task {
            for await line in lines { continuation.yield(line) }
            continuation.finish()
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            signal(SIGKILL)
            continuation.finish(throwing: ToolError.timedOut(result, after: limit))
        }
        continuation.onTermination = { _ in
            reader.cancel()
            timer.cancel()
        }
        return limited
    }

    /// Waits until the program has asked for a signal, as the kernel tells (proc(5), `SigCgt`, `SigIgn`): before that it
    /// would be its end.
    public func catches(_ number: Int32, within seconds: Double = 60) async throws {
        try await becomes(within: seconds, "the program does not catch signal \(number)") {
            $0.isIn(["SigCgt", "SigIgn"], number)
        }
    }

    /// Waits for what the kernel says of the process in /proc, which nothing announces.
    private func becomes(
        within seconds: Double, _ failure: String, _ isSo: (_ status: String) -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            if isSo((try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? "") { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Missing(description: "\(failure) after \(seconds) seconds")
    }

    public var hasEnded: Bool { state.withLock { $0.status != nil } }

    /// In bytes; 0 once it has ended.
    public var residentMemory: Int { ThisProcess.residentMemory(of: "\(pid)") }

    /// Sends a signal, SIGINT or SIGKILL say; nothing happens when the program has ended.
    public func signal(_ number: Int32) {
        state.withLock { if $0.status == nil { kill(pid, number) } }
    }

    /// Writes to the program's standard input.
    public func write(_ text: String) {
        input.withLock { descriptor in
            guard let descriptor else { return }
            let bytes = Array(text.utf8)
            _ = Glibc.write(descriptor, bytes, bytes.count)
        }
    }

    public func closeInput() {
        input.withLock { descriptor in
            if let open = descriptor { close(open) }
            descriptor = nil
        }
    }

    /// Waits for the end. A program that takes longer is killed, and ``ToolError/timedOut(_:after:)`` thrown.
    public func result(within limit: Duration) async throws -> ToolResult {
        if await ended(within: limit) { return result }
        signal(SIGKILL)
        _ = await ended(within: .seconds(5))
        throw ToolError.timedOut(result, after: limit)
    }

    private var result: ToolResult {
        state.withLock {
            ToolResult(
                command: command, status: $0.status ?? -1, output: $0.output,
                errors: String(decoding: $0.errors, as: UTF8.self))
        }
    }

    private func ended(within limit: Duration) async -> Bool {
        let ticket = UUID()
        let timer = Task {
            try await Task.sleep(for: limit)
            state.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume(returning: false)
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.status == nil { state.waiters[ticket] = continuation }
                return state.status != nil
            }
            if isOver { continuation.resume(returning: true) }
        }
    }

    /// Both streams are closed: only the exit status is left to come.
    private func streamEnded() {
        let left = openStreams.withLock { count in
            count -= 1
            return count
        }
        guard left == 0 else { return }
        var status: Int32 = 0
        var information = siginfo_t()
        // WNOWAIT keeps the process id taken until the status is stored under the lock that signal() holds too.
        _ = waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT)
        let waiters = state.withLock { state in
            waitpid(pid, &status, 0)
            let signal = status & 0x7f
            state.status = signal == 0 ? (status >> 8) & 0xff : 128 + signal
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: true) }
    }
}

extension String {
    /// Whether a signal is in one of these masks of a process' status.
    fileprivate func isIn(_ masks: [String], _ number: Int32) -> Bool {
        split(separator: "\n").contains { line in
            let parts = line.split(separator: ":")
            guard parts.count == 2, masks.contains(String(parts[0])),
                let mask = UInt64(parts[1].trimmingCharacters(in: .whitespaces), radix: 16)
            else { return false }
            return mask & (1 << UInt64(number - 1)) != 0
        }
    }
}
