import Foundation

/// Which threads get their turn first where others wait for the cores too.
///
/// The kernel lets a process do so with the right to it (`CAP_SYS_NICE`), or as far as its limit goes (`RLIMIT_NICE`, "nice" in
/// limits.conf); elsewhere nothing changes. Threads that a raised one makes, an encoder's say, are raised too.
package enum ThreadPriority: Int32, Sendable {
    /// As `nice` counts. What takes samples from devices and puts packets into files needs little, and is late at once; as PipeWire's own.
    case transfer = -11
    /// Encoders need most of the machine, and the programs that the samples come from must have their turn beside them: three times what
    /// they have.
    case encoding = -5

    /// Raises the thread that calls. Whoever runs the process with less priority than usual wants it so, and it stays.
    ///
    /// - Returns: whether it is raised now.
    @discardableResult
    package func raise() -> Bool {
        guard Self.usual <= 0, rawValue < Self.usual else { return false }
        if Self.set(rawValue) { return true }
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(__RLIMIT_NICE.rawValue), &limit) == 0 else { return false }
        // A limit of 20 is 0, of 40 is -20 (getrlimit(2)).
        let least = 20 - Int32(clamping: limit.rlim_cur)
        return least < Self.usual && Self.set(max(rawValue, least))
    }

    /// Gives the thread that calls the process's priority back: it may do other work next.
    package static func reset() { _ = set(usual) }

    /// Of the process's first thread, when it was first asked for.
    private static let usual = getpriority(Int32(PRIO_PROCESS.rawValue), id_t(getpid()))

    /// 0: of Linux's threads the one that calls.
    private static func set(_ niceness: Int32) -> Bool {
        setpriority(Int32(PRIO_PROCESS.rawValue), 0, niceness) == 0
    }
}
