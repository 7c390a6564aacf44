import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite(.requires(tool: "ffmpeg", package: "ffmpeg")) struct ProgramStreamEndTests {
    @Test(arguments: ["vob", "mpeg"]) func `what a cut takes from the last packet is counted`(format: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.file("in.mpg")
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=2", "-f",
                "lavfi", "-i",
            ]
                + ["sine=duration=2", "-c:v", "mpeg2video", "-c:a", "mp2", "-b:v", "2M", "-f", format, path])
        let whole = try Data(contentsOf: URL(filePath: path))
        #expect(try ProgramStreamEnd.missingBytes(FilePath(path)) == nil)
        // ffmpeg's packs have 2048 bytes each; the last one lacks some of a packet.
        let pack = (whole.count / 2048 / 2) * 2048
        try whole.prefix(pack).write(to: URL(filePath: path))
        #expect(try ProgramStreamEnd.missingBytes(FilePath(path)) == nil)
        for rest in [1500, 1, 2000] {
            try whole.prefix(pack - 2048 + rest).write(to: URL(filePath: path))
            let missing = try ProgramStreamEnd.missingBytes(FilePath(path))
            // Of a head that begins nobody knows more than that it is not whole.
            #expect(
                rest < 4 ? missing == nil : missing.map { (1...2048 - rest).contains($0) } == true,
                "\(rest): \(missing ?? 0)")
        }
        try Data(repeating: 7, count: 9000).write(to: URL(filePath: path))
        #expect(try ProgramStreamEnd.missingBytes(FilePath(path)) == nil)
    }
}
