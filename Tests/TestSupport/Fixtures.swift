import Foundation

/// Files that a program makes for tests: once a run, found by their command, and each test gets a copy of its own.
///
///     try await Fixtures.make(folder.file("take.mp4"), "ffmpeg", ["-f", "lavfi", "-i", "testsrc2=duration=2"])
public enum Fixtures {
    /// Runs the program, with a file as its last argument, unless the same command was run before; then copies what it made.
    ///
    /// - Parameters:
    ///   - file: its ending belongs to what is asked for, as programs go by it.
    ///   - arguments: all that the bytes depend on; no file that may change.
    public static func make(_ file: String, _ tool: String, _ arguments: [String]) async throws {
        let made = try await store.file(tool, arguments, ending: URL(filePath: file).pathExtension)
        // By another process: while this one writes it, a program that a test beside starts would hold it open for writing.
        _ = try await Tool.succeed("cp", [made, file])
    }

    private static let store = Store()

    private actor Store {
        /// `scripts/test` empties it before it begins.
        private let folder = Checkout.folder.appending(path: ".build/test-fixtures")
        private var tasks: [String: Task<Void, any Error>] = [:]

        func file(_ tool: String, _ arguments: [String], ending: String) async throws -> String {
            let name = Self.hash([tool] + arguments)
            let path = folder.appending(path: "\(name).\(ending)").path
            // Not a part of the test that asks first: the others wait for it even where that one is over.
            let task =
                tasks[path]
                ?? Task.detached { [folder] in
                    if access(path, R_OK) == 0 { return }
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    // A run that is killed leaves no half of it, and of two at once both have a whole one.
                    let part = folder.appending(path: "\(name).\(getpid()).\(ending)").path
                    _ = try await Tool.succeed(tool, arguments + [part])
                    guard rename(part, path) == 0 else { throw ToolError.couldNotStart(path, code: errno) }
                }
            tasks[path] = task
            try await task.value
            return path
        }

        /// FNV-1a by Fowler, Noll and Vo: the same in each process, unlike Swift's own.
        private static func hash(_ words: [String]) -> String {
            var value: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in words.joined(separator: "\0").utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
            return String(value, radix: 16)
        }
    }
}
