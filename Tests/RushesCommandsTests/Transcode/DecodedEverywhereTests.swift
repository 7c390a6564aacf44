import Foundation
import TestSupport
import Testing

/// What libavcodec alone decodes here is taken by all that makes something of a movie, and its length is known.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct DecodedEverywhereTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two seconds of 25 frames; GStreamer (1.22) has no decoder for the codec.
    private func make(_ name: String = "in.avi", _ codec: String = "-pix_fmt yuv422p -c:v utvideo") async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=2"]
                + Tool.words(codec) + [folder.file(name)])
    }

    private func run(_ words: [String]) async throws -> String {
        let result = try await BuiltCommand.rushes.run(words + ["--overwrite"], folder: folder.path)
        #expect(result.status == 0, "\(words): \(result)")
        return result.errors
    }

    private func frames(_ name: String) async throws -> Int {
        let told = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-count_frames", "-select_streams", "v", "-show_entries", "stream=nb_read_frames", "-of"]
                + ["csv=p=0", folder.file(name)])
        return try #require(Int(told.text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// How like the frames of two files are, as ffmpeg measures it.
    private func similarity(_ name: String, _ other: String) async throws -> Double {
        let same = "setpts=N/25/TB,format=yuv420p"
        let result = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "info", "-i", folder.file(name), "-i", folder.file(other), "-lavfi"]
                + ["[0:v]\(same)[a];[1:v]\(same)[b];[a][b]ssim", "-f", "null", "-"])
        let text = result.errors.components(separatedBy: "All:").last ?? ""
        return try #require(Double(text.prefix { !$0.isWhitespace }), "\(result.errors)")
    }

    @Test func `pieces, sheets and a quality that is looked for`() async throws {
        try await make()
        _ = try await run(["transcode", "in.avi", "--preset", "h264", "--split-every", "1s", "--output", "piece.mp4"])
        #expect(try await [frames("piece-1.mp4"), frames("piece-2.mp4")] == [25, 25])
        _ = try await run(["snapshot", "in.avi", "--sheet", "2x2", "--output", "sheet.png"])
        #expect(try await frames("sheet.png") == 1)
        _ = try await run(
            ["transcode", "in.avi", "--preset", "h264", "--target-quality", "ssim:0.95", "--output", "alike.mp4"])
        #expect(try await frames("alike.mp4") == 50)
        #expect(try await similarity("alike.mp4", "in.avi") > 0.93)
    }

    @Test func `timelapses`() async throws {
        try await make()
        _ = try await run(["timelapse", "fast.mp4", "--from-video", "in.avi", "--speed", "2x", "--rate", "25"])
        #expect(try await frames("fast.mp4") == 25)
    }

    /// GStreamer reads it, and wrongly: its three components in another order.
    @Test func `timelapses and compositions of what is read wrongly`() async throws {
        try await make("in.mov", "-pix_fmt yuv444p -c:v v308")
        _ = try await run(["timelapse", "fast.mp4", "--from-video", "in.mov", "--speed", "2x", "--rate", "25"])
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file("in.mov"), "-vf", "select=not(mod(n\\,2))", "-fps_mode"]
                + ["passthrough", "-c:v", "ffv1", folder.file("half.mkv")])
        #expect(try await similarity("fast.mp4", "half.mkv") > 0.8)
        try await make("inset.mov", "-pix_fmt yuv444p -c:v v308")
        _ = try await run(
            ["compose", "both.mp4", "--main", "in.mov", "--inset", "inset.mov", "--align", "0s"]
                + ["--layout", "top-left,size=100%,margin=0%"])
        #expect(try await frames("both.mp4") == 50)
        #expect(try await similarity("both.mp4", "in.mov") > 0.9)
    }

    @Test(arguments: [("in.avi", "other.mp4"), ("other.mp4", "in.avi")])
    func `compositions`(main: String, inset: String) async throws {
        try await make()
        try await make("other.mp4", "-pix_fmt yuv420p -c:v libx264")
        let errors = try await run(["compose", "both.mp4", "--main", main, "--inset", inset, "--align", "0s"])
        #expect(try await frames("both.mp4") == 50, "\(errors)")
    }
}
