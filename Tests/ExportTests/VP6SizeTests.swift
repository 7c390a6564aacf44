import Export
import Foundation
import TestSupport
import Testing

/// VP6 in Flash video, whose frames are larger than what is shown of them: judged by ffprobe.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct VP6SizeTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [(0, 0), (0, 6), (8, 4)] as [(UInt8, UInt8)])
    func `what is not shown is not in the movie`(columns: UInt8, rows: UInt8) async throws {
        try MadeFLV.vp6(hiding: (columns, rows)).write(to: URL(filePath: folder.file("in.flv")))
        let judged = try #require(try await FFProbe.inspect(folder.file("in.flv")).video.first)
        #expect(try await export("in.flv").frames == 10)
        let made = try #require(try await FFProbe.inspect(folder.file("out.mov")).video.first)
        #expect((made.width, made.height) == (judged.width, judged.height))
        #expect((made.width, made.height) == (192 - Int(columns), 160 - Int(rows)))
    }
}
