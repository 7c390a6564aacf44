import FileSystem
import Foundation
import MovieFiles
import Threads
import UnixSignals

/// SIGINT, SIGTERM and SIGHUP while a take runs: the first asks for its end, a second SIGINT gives up waiting.
///
/// A terminal that is closed sends SIGHUP twice within milliseconds, once through the shell, and the end of a session SIGTERM and SIGHUP: those
/// are one wish to stop. So are two SIGINT at once: timeout sends it to the process and to its group, and wrappers pass on what a terminal has
/// sent to all.
enum StopSignals {
    /// Whether this process was started to ignore SIGHUP, as by nohup: then the terminal may go. A script's background job has SIGINT ignored
    /// too, and is ended by it all the same ("rushes record & … kill -INT $!").
    private static let ignoresHangUp: Bool = {
        var old = sigaction()
        guard sigaction(SIGHUP, nil, &old) == 0 else { return false }
        return unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }()

    /// Calls the closure at the first signal. At the second SIGINT, or at another SIGTERM a second later, the process ends with status
    /// 130: the file on disk plays, as it does at every moment, and nothing is left of an export.
    ///
    /// - Parameter onSecond: says what is left, in no more than a few seconds; a third signal does not wait for that.
    static func watch(
        _ onFirst: @escaping @Sendable () async -> Void, onSecond: @escaping @Sendable () async -> Void = {}
    ) async -> Task<Void, Never> {
        // Before they are trapped.
        let ignoresHangUp = ignoresHangUp
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        // Not one of the threads that all tasks share: whatever holds those, a third signal ends the process.
        return Task(executorPreference: BlockingQueue("rushes-signals")) {
            var (count, last) = (0, ContinuousClock.now)
            for await signal in signals where signal != .sighup || !ignoresHangUp {
                let age = ContinuousClock.now - last
                let isAnother = signal == .sigint ? age >= doubled : signal == .sigterm && age >= .seconds(1)
                guard count == 0 || isAnother else { continue }
                (count, last) = (count + 1, .now)
                switch count {
                case 1: Task { await onFirst() }
                case 2:
                    Task {
                        await onSecond()
                        leave()
                    }
                default: leave()
                }
            }
        }
    }

    /// Nobody presses Ctrl-C again so soon.
    private static let doubled = Duration.milliseconds(300)

    /// Ends the process where it may leave its work as it is: what is not complete and has a name is taken away.
    static func leave() -> Never {
        UnfinishedFile.removeAll()
        StandardStreams.finishNotes()
        fflush(nil)
        _exit(130)
    }
}
