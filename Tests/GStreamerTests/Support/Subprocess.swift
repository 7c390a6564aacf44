import Foundation
import Testing

/// This test program again, with one test of it, in an environment of its own.
struct Subprocess {
    var status: Int32
    var output: String

    /// - Parameter scenario: only the tests that are enabled for this scenario run.
    static func run(scenario: String, filter: String, environment: [String: String] = [:]) throws -> Subprocess {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        child.arguments = ["--testing-library", "swift-testing", "--filter", filter]
        child.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            .merging(["RUSHES_TEST_SCENARIO": scenario]) { $1 }
        return try run(child)
    }

    static func shell(_ command: String) throws -> Subprocess {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/sh")
        child.arguments = ["-c", command]
        return try run(child)
    }

    static func isScenario(_ name: String) -> Bool {
        ProcessInfo.processInfo.environment["RUSHES_TEST_SCENARIO"] == name
    }

    private static func run(_ child: Process) throws -> Subprocess {
        let pipe = Pipe()
        child.standardOutput = pipe
        child.standardError = pipe
        try child.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        child.waitUntilExit()
        return Subprocess(status: child.terminationStatus, output: String(decoding: data, as: UTF8.self))
    }
}
