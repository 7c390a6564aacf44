import Encoding
import Errors
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// How Matroska tells what its tracks are called, and which video is not put there; judged by ffprobe.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg"))
struct MatroskaTrackTitleTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// How often a text stands in a file.
    private func count(_ text: String, in name: String) throws -> Int {
        let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
        var (count, place) = (0, bytes.startIndex)
        while let range = bytes.range(of: Data(text.utf8), in: place..<bytes.endIndex) {
            (count, place) = (count + 1, range.upperBound)
        }
        return count
    }

    @Test(arguments: ["", "-metadata title=Ganzes -metadata artist=Ann"])
    func `stands there once`(others: String) async throws {
        try await make("in.mp4", "\(Self.fast) -c:a aac -metadata:s:a title=Kommentar \(others)")
        for output in ["out.mkv", "out.webm", "out.mka"] {
            _ = try await export("in.mp4", to: output, output == "out.webm" ? "webm" : "h264")
            #expect(try count("Kommentar", in: output) == 1, "\(output)")
            let report = try await FFProbe.inspect(folder.file(output))
            #expect(report.audio.first?.tags?["title"] == "Kommentar", "\(output)")
            #expect(report.format.tags?["TITLE"] == (others.isEmpty ? nil : "Ganzes"), "\(output)")
            #expect(report.format.tags?["ARTIST"] == (others.isEmpty ? nil : "Ann"), "\(output)")
            #expect(report.format.duration != nil)
            // ffmpeg goes by the list of parts, and tells what of it leads nowhere.
            try await FFmpeg.decode(folder.file(output))
        }
    }

    @Test func `RealVideo, which nothing reads there as GStreamer writes it, is refused`() async throws {
        try await make("in.rm", size: "160x128", "-map 0:v -c:v rv20")
        let error = await #expect(throws: RushesError.self) { _ = try await export("in.rm", to: "out.mkv", "copy") }
        #expect(error?.description.contains("cannot be copied") == true, "\(String(describing: error))")
        #expect(try await export("in.rm", to: "out.mkv").frames == 90)
    }
}
