public import Foundation

/// Runs other programs' tools: never through a shell, and never for longer than a stated time.
public enum Tool {
    /// Runs a tool to its end and returns what it printed; a non-zero exit status is a result, not an error.
    ///
    /// - Parameters:
    ///   - name: A name to look up in `PATH`, or a path.
    ///   - limit: The tool is killed and ``ToolError/timedOut(_:after:output:)`` thrown when it takes longer.
    ///   - environment: Added to this process's own; a nil value removes a variable.
    public static func run(
        _ name: String, _ arguments: [String] = [], limit: Duration = .seconds(120),
        environment: [String: String?] = [:], folder: String? = nil
    ) async throws -> ToolResult {
        if name == "exiftool", environment.isEmpty, folder == nil, !arguments.contains("-b") {
            return try await SharedExifTool.shared.run(arguments, limit: limit)
        }
        let command = try RunningCommand(name, arguments, environment: environment, folder: folder)
        command.closeInput()
        return try await command.result(within: limit)
    }

    /// The same for tools that must succeed: throws ``ToolError/failed(_:)`` with what the tool said.
    public static func succeed(
        _ name: String, _ arguments: [String] = [], limit: Duration = .seconds(120),
        environment: [String: String?] = [:], folder: String? = nil
    ) async throws -> ToolResult {
        let result = try await run(name, arguments, limit: limit, environment: environment, folder: folder)
        guard result.status == 0 else { throw ToolError.failed(result) }
        return result
    }

    /// A tool's arguments from a line that has no spaces within them. In a sum of arrays a call of `split` takes the compiler long.
    public static func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

    /// Arguments of `unshare` for a command that mounts disks nobody else sees. Root needs no user namespace, and some
    /// containers forbid them.
    public static var mountNamespace: [String] { geteuid() == 0 ? ["--mount"] : ["--map-root-user", "--mount"] }

    /// The path of a tool, nil where it is not installed; of one that a fork server runs (scripts/lib/fork_server.py), that of its client.
    public static func path(of name: String, in environment: [String: String] = ProcessInfo.processInfo.environment)
        -> String?
    {
        if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
        let clients = environment["RUSHES_FORK_SERVERS"].map { [Substring($0)] } ?? []
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return (clients + folders).map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}

/// What a program printed and how it ended.
public struct ToolResult: Sendable, CustomStringConvertible {
    public var command: [String]
    /// The exit status; for a program that a signal ended, 128 + the signal, as a shell says it.
    public var status: Int32
    public var output: Data
    public var errors: String

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }

    public var description: String {
        "\(command.joined(separator: " ")) ended with \(status)\n\(text.suffix(4000))\n\(errors.suffix(4000))"
    }
}

public enum ToolError: Error, CustomStringConvertible {
    case missing(String)
    case couldNotStart(String, code: Int32)
    case failed(ToolResult)
    case timedOut(ToolResult, after: Duration)
    case unexpectedOutput(ToolResult, String)

    public var description: String {
        switch self {
        case .missing(let name): "\(name) is not installed; run scripts/setup tests"
        case .couldNotStart(let name, let code): "\(name) could not be started: \(String(cString: strerror(code)))"
        case .failed(let result): "\(result)"
        case .timedOut(let result, let limit): "killed, as it took longer than \(limit): \(result)"
        case .unexpectedOutput(let result, let reason): "\(reason): \(result)"
        }
    }
}
