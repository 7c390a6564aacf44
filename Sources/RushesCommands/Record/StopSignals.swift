import FileSystem
import Foundation
import MovieFiles
import Threads
import UnixSignals

/// SIGINT, SIGTERM and SIGHUP while a take runs: the first asks for its end, a second SIGINT gives up waiting; ``StopSignalFilter`` tells which is which.
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
            var wishes = StopSignalFilter()
            for await signal in signals where signal != .sighup || !ignoresHangUp {
                let kind: StopSignalFilter.Signal =
                    signal == .sigint ? .interrupt : signal == .sigterm ? .terminate : .hangUp
                switch wishes.take(kind, at: .now) {
                case nil: continue
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

    /// Ends the process where it may leave its work as it is: what is not complete and has a name is taken away.
    static func leave() -> Never {
        UnfinishedFile.removeAll()
        StandardStreams.finishNotes()
        fflush(nil)
        _exit(130)
    }
}
