import Foundation

/// A program that goes on when this one ends, with nothing of this one's: no terminal, no output, no open file.
enum DetachedProcess {
    /// POSIX_SPAWN_SETSID of glibc's and musl's spawn.h, which Swift's modules of them leave out.
    private static let ownSession: Int32 = 0x80

    /// - Parameter arguments: with the name it is to see first.
    /// - Returns: whether it was started.
    static func start(_ program: String, _ arguments: [String]) -> Bool {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // A pipe that it held open would keep its reader waiting: rushes record --json | jq.
        for descriptor in 0...2 as ClosedRange<Int32> {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A session of its own: the terminal's Ctrl-C and its closing do not reach it. Signals are as for a new program.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(ownSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var texts = arguments.map { strdup($0) }
        texts.append(nil)
        defer { for text in texts { free(text) } }
        var pid: pid_t = 0
        return posix_spawn(&pid, program, &actions, &attributes, texts, environ) == 0
    }
}
