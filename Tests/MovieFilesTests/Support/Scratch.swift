import Foundation
import TestSupport

/// The folder of this run's files, which goes when the tests end; with MOVIEFILES_KEEP set it stays.
enum Scratch {
    static let directory: URL = {
        let url = FileManager.default.temporaryDirectory.appending(path: "MovieFilesTests-\(getpid())")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        guard ProcessInfo.processInfo.environment["MOVIEFILES_KEEP"] == nil else { return url }
        atexit { try? FileManager.default.removeItem(at: Scratch.directory) }
        return url
    }()
}

extension URL {
    /// A name in this folder that nothing has yet.
    func unique(_ ending: String) -> URL {
        appending(path: "\(UUID().uuidString).\(ending)")
    }
}

extension Tool {
    /// Runs a line of shell that must succeed: pipes, and files that are made as they are read.
    static func shell(_ line: String) async throws {
        let result = try await inTurn("bash", ["-o", "pipefail", "-c", line])
        guard result.status == 0 else { throw ToolError.failed(result) }
    }

    private static let turns = Turns(4)

    /// Runs a program when few others run: all tests begin at once, and a program's time limit begins with it.
    static func inTurn(_ name: String, _ arguments: [String]) async throws -> ToolResult {
        await turns.begin()
        do {
            let result = try await run(name, arguments)
            await turns.end()
            return result
        } catch {
            await turns.end()
            throw error
        }
    }
}
