import Encoding
import Export
import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Matroska that does not say how large its frames are, as of writers that do not know it: the frames say it.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct UntoldSizeTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Voids both sizes (`PixelWidth`, `PixelHeight`) of the only track.
    private func make(_ codec: String) async throws {
        try await make("told.mkv", size: "320x176", "-c:v \(codec) -an")
        var bytes = try Data(contentsOf: URL(filePath: folder.file("told.mkv")))
        let sizes = try #require(bytes.firstRange(of: [0xB0, 0x82, 0x01, 0x40, 0xBA, 0x81, 0xB0]))
        bytes.replaceSubrange(sizes, with: [0xEC, 0x85, 0, 0, 0, 0, 0])
        try bytes.write(to: URL(filePath: folder.file("in.mkv")))
    }

    @Test(arguments: [
        ("libvpx -deadline realtime", ["out.mkv", "out.webm"]),
        ("libvpx-vp9 -deadline realtime -cpu-used 8", ["out.mkv", "out.webm"]),
        ("libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuv444p", ["out.mkv"]),
    ])
    func `is copied, and described, with the size that its frames have`(codec: String, outputs: [String]) async throws {
        try await make(codec)
        let told = try #require(try MovieInfo(readingMatroska: FilePath(folder.file("in.mkv")))).video.first
        #expect(told?.width == 320 && told?.height == 176, "\(String(describing: told))")
        for output in outputs {
            let result = try await export("in.mkv", to: output, "copy")
            #expect(result.frames == 90, "\(output): \(result)")
            let video = try #require(try await FFProbe.inspect(folder.file(output)).video.first)
            #expect(video.width == 320 && video.height == 176, "\(output): \(video)")
            let info = try MovieInfo(readingMatroska: FilePath(folder.file(output)))?.video.first
            #expect(info?.width == 320 && info?.height == 176, "\(output)")
            #expect(try await FFProbe.packets("v:0", of: folder.file(output)).count == 90, "\(output)")
            try await FFmpeg.decode(folder.file(output))
        }
    }
}
