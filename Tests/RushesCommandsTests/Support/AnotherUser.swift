import Foundation
import TestSupport

/// A user who may do no more than others may: root may read and write everywhere.
enum AnotherUser {
    /// Runs the command as that user; where the tests are not run by root, as who runs them.
    ///
    /// - Parameters:
    ///   - limits: options of `prlimit`.
    ///   - mode: of the folder.
    static func run(
        _ arguments: [String], in folder: TemporaryFolder, limits: [String] = [], mode: mode_t = 0o755
    ) async throws -> ToolResult {
        let command = ["prlimit"] + limits + [try BuiltCommand.rushes.path] + arguments
        guard geteuid() == 0 else {
            return try await Tool.run(
                command[0], Array(command.dropFirst()), limit: .seconds(120), folder: folder.path)
        }
        // The folder is shut for others by mkdtemp; its owner is changed rather than its secrecy.
        _ = chmod(folder.path, mode)
        return try await Tool.run(
            "setpriv",
            ["--reuid=65534", "--regid=65534", "--clear-groups"] + command,
            limit: .seconds(120), environment: ["HOME": "/nonexistent", "GST_REGISTRY_UPDATE": "no"],
            folder: folder.path
        )
    }
}
