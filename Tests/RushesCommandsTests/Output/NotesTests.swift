import Foundation
import TestSupport
import Testing

@testable import RushesCommands

/// Lines for people, where those do not read.
@Suite(.timeLimit(.minutes(10))) struct NotesTests {
    private let reading: FileHandle
    private let writing: FileHandle

    init() {
        let pipe = Pipe()
        (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
    }

    @Test func `a line is there at once, in order, and a long one too`() throws {
        let notes = Notes(on: writing.fileDescriptor)
        let long = String(repeating: "a", count: 20_000)
        for line in ["one", long, "two"] { notes.write(line) }
        notes.finish(within: .seconds(60))
        try writing.close()
        #expect(try reading.readToEnd() == Data("one\n\(long)\ntwo\n".utf8))
    }

    @Test func `who does not read keeps nobody waiting, and reads all of it in the end, or how much is missing`()
        async throws
    {
        let notes = Notes(on: writing.fileDescriptor)
        // More than a pipe holds: the last lines wait.
        let line = String(repeating: "b", count: 1000)
        for _ in 0..<2000 { notes.write(line) }
        notes.finish(within: .seconds(0.01))
        let reading = reading
        let text = Task.detached { try reading.readToEnd() }
        notes.finish(within: .seconds(60))
        try writing.close()
        let lines = String(decoding: try await text.value ?? Data(), as: UTF8.self).split(separator: "\n")
        // Once or twice: lines may be missing before the writing of those that wait has begun, and after.
        let missing = lines.compactMap { $0.wholeMatch(of: #/rushes: (\d+) more lines could not be shown\./#) }
            .compactMap { Int($0.1) }
        let shown = lines.count { $0 == line }
        #expect(shown > 1000 && shown + missing.count == lines.count)
        #expect(shown + missing.reduce(0, +) == 2000)
    }
}
