import Foundation

/// The `rushes` command: the one that `RUSHES_COMMAND` names, else that of this very build, beside the test bundle.
///
/// scripts/test names an optimized one: takes in real time leave no core for unoptimized code.
public struct BuiltCommand: Sendable {
    public let path: String

    /// Throws where it has not been built.
    public static var rushes: BuiltCommand {
        get throws {
            if let named = ProcessInfo.processInfo.environment["RUSHES_COMMAND"] { return BuiltCommand(path: named) }
            let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            let path = folder.appending(path: "rushes").path
            guard access(path, X_OK) == 0 else { throw ToolError.missing(path) }
            return BuiltCommand(path: path)
        }
    }

    /// Runs it to its end.
    ///
    /// - Parameter servers: The private servers that it shall see; none: the machine's own.
    public func run(
        _ arguments: [String], servers: Servers? = nil, limit: Duration = .seconds(120),
        environment: [String: String?] = [:], folder: String? = nil
    ) async throws -> ToolResult {
        let command = try start(arguments, servers: servers, environment: environment, folder: folder)
        command.closeInput()
        return try await command.result(within: limit)
    }

    /// Longer than any test lets it run, on the slowest machine: what then still runs would go on for ever, as its test waits for a line that
    /// does not come, and all other tests for their turn.
    private static let longest = Duration.seconds(600)

    /// Starts it: its events come as lines, signals reach the command itself.
    public func start(
        _ arguments: [String], servers: Servers? = nil, environment: [String: String?] = [:], folder: String? = nil
    ) throws -> RunningCommand {
        let merged = (servers?.environment ?? [:]).merging(environment) { _, own in own }
        return try RunningCommand(path, arguments, environment: merged, folder: folder, longest: Self.longest)
    }
}
