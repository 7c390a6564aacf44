import Foundation
import TestSupport
import Testing

/// What a batch makes of files where no preset is named.
@Suite(.timeLimit(.minutes(25)), .turn) struct BatchPresetTests {
    @Test(arguments: [(["--image", "cover.png"], "mp4", "h264"), ([], "webm", "vp9"), ([], "gif", "gif")])
    func `a plan has the preset of rushes transcode`(options: [String], container: String, codec: String) async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1", "-f", "lavfi", "-i"]
                + [
                    "color=red:size=64x48:rate=25:duration=1", "-map", "0", folder.file("talk.wav"), "-map", "1",
                    "-c:v",
                ]
                + ["libx264", folder.file("film.mp4"), "-map", "1", "-frames:v", "1", folder.file("cover.png")])
        let input = options.isEmpty ? "film" : "talk"
        let plan = ["batch", "plan", "\(input).\(options.isEmpty ? "mp4" : "wav")", "--output-directory", "out"]
        for words in [plan + ["--container", container] + options, ["batch", "run-one", "out", "0"]] {
            let result = try await BuiltCommand.rushes.run(words, folder: folder.path)
            #expect(result.status == 0, "\(words): \(result.errors)")
        }
        let streams = try await FFProbe.inspect(folder.file("out/\(input).\(container)")).streams
        #expect(streams.first { $0.codecType == "video" }?.codecName == codec)
    }
}
