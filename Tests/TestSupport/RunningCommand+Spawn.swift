import Threads
import Foundation

extension RunningCommand {
    /// Held from a pipe's making to its marking, and while a program is started: Swift's Glibc has no pipe2, and an end
    /// that another program inherited would keep the stream open.
    ///
    /// Of a number, as the thread sanitizer takes a value without size for the mutex that lies at its address.
    private static let noProgramStarts = Locked(0)

    /// Both ends close by themselves in a program that is started.
    static func makePipe() throws -> (read: Int32, write: Int32) {
        try noProgramStarts.withLock { _ in
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { throw ToolError.couldNotStart("a pipe", code: errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }
    }

    /// More files than the tests ever have open at once.
    private static let highestDescriptor: Int32 = 512

    static func spawn(
        _ line: [String], _ environment: [String: String], input: Int32, output: Int32, errors: Int32
    ) -> (pid: pid_t, code: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        // A file that a test is writing would count as open for writing as long as the program runs.
        for other in 3..<highestDescriptor { posix_spawn_file_actions_addclose(&actions, other) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t()
        var none = sigset_t()
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let arguments = line.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var pid: pid_t = 0
        let code = noProgramStarts.withLock { _ in
            // A listening socket that a library opened for inheritance would stay open as long as the program runs.
            for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
                if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            }
            return posix_spawn(&pid, line[0], &actions, &attributes, arguments, variables)
        }
        return (pid, code)
    }

    /// Reads until the end of the stream, on a thread of its own: a read blocks.
    ///
    /// - Parameter signals: What is sent to the program, each so long after the one before.
    static func readAll(
        _ descriptor: Int32, signals: [(after: Duration, number: Int32)] = [], _ send: (Int32) -> Void = { _ in },
        use: (Data) -> Void
    ) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        var signals = signals[...]
        var next = signals.first.map { ContinuousClock.now + $0.after }
        while true {
            if let deadline = next {
                var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                let left = max(0, ContinuousClock.now.duration(to: deadline) / .milliseconds(1)).rounded(.up)
                if poll(&wanted, 1, Int32(left)) == 0 {
                    send(signals.removeFirst().number)
                    next = signals.first.map { ContinuousClock.now + $0.after }
                    continue
                }
            }
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { use(Data(buffer[..<count])) } else if count == 0 || errno != EINTR { break }
        }
        close(descriptor)
    }

    static func onThread(_ name: String, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread(block: work)
        thread.name = name
        thread.start()
    }
}
