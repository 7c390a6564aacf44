import Errors
import Threads

/// Work that somebody asked for from another process, who is told what came of it.
struct ControlAnswer: Sendable {
    /// Ends with a sentence for people, or with why nothing came of it.
    let work: Task<String, any Error>
    /// Said where that takes longer than who asked waits.
    let begun: String

    init(_ begun: String, _ work: @escaping @Sendable () async throws -> String) {
        self.begun = begun
        self.work = Task { try await work() }
    }

    /// Of the five seconds that a process has to answer.
    private static let timeout = Duration.seconds(4)

    /// - Throws: why nothing came of it.
    var sentence: String {
        get async throws {
            let work = work
            return try await withTimeout(Self.timeout) { await work.result }?.get() ?? begun
        }
    }
}

extension RushesError {
    /// An error for who asked for a file: what replaces one is an option of the command that began the work, and nothing that can be
    /// asked of it.
    static func answer(_ error: any Error) -> any Error {
        guard let error = error as? RushesError, error.code == .fileExists, let path = error.subject else {
            return error
        }
        return RushesError(.fileExists, on: path, "\(path) already exists; choose another name.")
    }
}
