import Foundation
import Testing

/// A program that makes or judges movies. One that is not installed fails the test: nothing here is skipped.
struct Tool {
    struct Result {
        var status: Int32
        var output: String
        var errors: String
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Runs a program to its end.
    @discardableResult
    static func run(_ arguments: String...) throws -> Result {
        try run(arguments)
    }

    static func run(_ arguments: [String]) throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let directory = Scratch.directory
        let (output, errors) = (directory.unique("out"), directory.unique("err"))
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        defer {
            try? FileManager.default.removeItem(at: output)
            try? FileManager.default.removeItem(at: errors)
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }

    /// Runs a program that must succeed, and returns its output.
    static func output(_ arguments: String...) throws -> String {
        let result = try run(arguments)
        guard result.status == 0 else {
            throw Failure(
                description: "\(arguments.joined(separator: " ")) ended with \(result.status): \(result.errors)")
        }
        return result.output
    }

    /// Runs a line of shell that must succeed.
    static func shell(_ line: String) throws {
        let result = try run(["bash", "-o", "pipefail", "-c", line])
        guard result.status == 0 else { throw Failure(description: "\(line)\n\(result.errors)") }
    }
}

/// The folder of this run's files.
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
