import FileSystem
import Foundation
import MovieFiles
import UnixSignals

/// SIGINT, SIGTERM and SIGHUP while a take runs: the first asks for its end, a second SIGINT gives up waiting.
enum StopSignals {
    /// Calls the closure at the first signal. At the second the process ends with status 130: the file on disk plays,
    /// as it does at every moment, and nothing is left of an export.
    ///
    /// - Parameter onSecond: says what is left, in no more than a few seconds; a third signal does not wait for that.
    static func watch(
        _ onFirst: @escaping @Sendable () async -> Void, onSecond: @escaping @Sendable () async -> Void = {}
    ) async -> Task<Void, Never> {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        return Task {
            var count = 0
            for await _ in signals {
                count += 1
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

    /// Ends the process where it may leave its work as it is: what is not complete and has a name is taken away.
    static func leave() -> Never {
        UnfinishedFile.removeAll()
        exit(130)
    }
}
