package import Foundation

/// Another program in a process of its own.
package enum NewProcess {
    /// How far it is from this one.
    package enum Distance: Sendable {
        /// A process group of its own: the terminal's Ctrl-C is this process's to answer.
        case group
        /// A session of its own: neither the terminal's Ctrl-C nor its closing reaches it.
        case session
    }

    /// `POSIX_SPAWN_SETSID` of glibc's and musl's spawn.h, which Swift's modules of them leave out.
    private static let ownSession: Int32 = 0x80

    /// Where a program is found in `PATH`; `nil` where it is not installed.
    package static func path(of program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    /// Starts it. Its signals are as for a new program, whatever this one does with its own.
    ///
    /// - Parameters:
    ///   - program: a path, or a name that is looked for in `PATH`.
    ///   - arguments: with the name that it is to see first.
    ///   - input: the descriptor that it reads from; empty if left out.
    ///   - output: the descriptor that its output and its errors go to; nowhere if left out.
    /// - Throws: why it cannot be started.
    package static func start(
        _ program: String, _ arguments: [String], input: Int32? = nil, output: Int32? = nil, _ distance: Distance
    ) throws(POSIXError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        for descriptor in [1, 2] as [Int32] {
            if let output {
                posix_spawn_file_actions_adddup2(&actions, output, descriptor)
            } else {
                posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let apart = distance == .session ? ownSession : Int32(POSIX_SPAWN_SETPGROUP)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | apart))
        var texts = arguments.map { strdup($0) }
        texts.append(nil)
        defer { for text in texts { free(text) } }
        var process: pid_t = 0
        let result = posix_spawnp(&process, program, &actions, &attributes, texts, environ)
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .EIO) }
        return process
    }
}
