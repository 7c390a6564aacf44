import Foundation
import MovieFiles
import UnixSignals

/// SIGINT, SIGTERM and SIGHUP while a take runs: the first asks for its end, a second SIGINT gives up waiting.
enum StopSignals {
    /// Calls the closure at the first signal. At the second the process ends with status 130: the file on disk plays,
    /// as it does at every moment, and nothing is left of an export.
    static func watch(_ onFirst: @escaping @Sendable () async -> Void) async -> Task<Void, Never> {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        return Task {
            var isStopping = false
            for await _ in signals {
                if isStopping {
                    UnfinishedFile.removeAll()
                    exit(130)
                }
                isStopping = true
                Task { await onFirst() }
            }
        }
    }
}
