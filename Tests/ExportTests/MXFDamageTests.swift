import Encoding
import Errors
import Export
import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// MXF that a disk or a copy has damaged; compared with what ffmpeg decodes of it.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MXFDamageTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func whole() async throws -> Data {
        try await make("in.mxf", rate: 25, "-c:v mpeg2video -b:v 2M -ar 48000 -c:a pcm_s16le")
        return try Data(contentsOf: URL(filePath: folder.file("in.mxf")))
    }

    @Test(arguments: ["zeros", "a gap"]) func `frames behind a hole are there`(hole: String) async throws {
        var bytes = try await whole()
        let range = bytes.count / 2..<bytes.count / 2 + 20_000
        bytes.replaceSubrange(range, with: hole == "zeros" ? Data(count: range.count) : Data())
        try bytes.write(to: URL(filePath: folder.file("hole.mxf")))
        let notes = try await export("hole.mxf").notes
        let (made, told) = (try await decoded("out.mov"), try await decoded("hole.mxf"))
        #expect(made.frames >= told.frames - 3 && made.frames < 75, "\(made) \(told)")
        // Of both as much is left out, so that what follows stays together.
        let perFrame = 48_000 / 25
        #expect(abs(made.audio - made.frames * perFrame) < 2048 + perFrame, "\(made)")
        #expect(!notes.contains { $0.contains("is cut off") }, "\(notes)")
        let line = notes.first { $0.contains("are damaged and were left out; what follows is there") }
        let time = try #require(line?.firstMatch(of: /at ([0-9.]+) s/).flatMap { Double($0.1) }, "\(notes)")
        #expect(abs(time - 1.5) < 0.3)
    }

    @Test func `a file that is cut off is told`() async throws {
        let bytes = try await whole()
        try bytes.prefix(bytes.count / 2).write(to: URL(filePath: folder.file("half.mxf")))
        let told = "The file is cut off, and what followed is missing; copy it again from its source."
        #expect(try await export("half.mxf").notes.contains(told))
        #expect(try await decoded("out.mov").frames >= decoded("half.mxf").frames - 1)
        #expect(try await !export("in.mxf", to: "whole.mov").notes.contains(told))
    }
}
