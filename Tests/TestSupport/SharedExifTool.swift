import Foundation
import Threads

/// One exiftool for all tests of a process, which takes their arguments one after another (its `-stay_open`): to start it costs a third
/// of a second of a processor, and a file hardly anything. For text only.
actor SharedExifTool {
    static let shared = SharedExifTool()

    private let turns = Turns(1)
    private var command: RunningCommand?

    /// As ``Tool/run(_:_:limit:environment:folder:)``, in its turn.
    func run(_ arguments: [String], limit: Duration) async throws -> ToolResult {
        await turns.begin()
        let result: ToolResult
        do {
            result = try await answer(arguments, limit: limit)
        } catch {
            // Whatever it still says belongs to no other's question.
            command?.closeInput()
            command = nil
            await turns.end()
            throw error
        }
        await turns.end()
        return result
    }

    private func answer(_ arguments: [String], limit: Duration) async throws -> ToolResult {
        guard Tool.path(of: "exiftool") != nil else { throw ToolError.missing("exiftool") }
        // By itself it would wait for more for ever, and outlive the tests.
        let command =
            try self.command
            ?? RunningCommand(
                "sh", ["-c", #"{ cat; printf -- "-stay_open\nFalse\n"; } | exiftool -stay_open True -@ -"#])
        self.command = command
        let saidBefore = command.errors.utf8.count
        // With a number its end is told however quiet it is to be.
        let question = arguments + ["-echo3", "{status ${status}}", "-execute1"]
        command.write(question.map { "\($0)\n" }.joined())
        let lines = await withTimeout(limit) {
            var lines: [String] = []
            for await line in command.lines {
                if line == "{ready1}" { break }
                lines.append(line)
            }
            return lines
        }
        func result(_ status: Int32, _ lines: some Sequence<String>) -> ToolResult {
            ToolResult(
                command: ["exiftool"] + arguments, status: status,
                output: Data(lines.map { "\($0)\n" }.joined().utf8),
                errors: String(decoding: command.errors.utf8.dropFirst(saidBefore), as: UTF8.self))
        }
        guard let lines else { throw ToolError.timedOut(result(-1, []), after: limit) }
        guard let last = lines.last, last.hasPrefix("{status "), let status = Int32(last.dropFirst(8).dropLast()) else {
            throw ToolError.unexpectedOutput(result(-1, lines), "exiftool ended")
        }
        return result(status, lines.dropLast())
    }
}
