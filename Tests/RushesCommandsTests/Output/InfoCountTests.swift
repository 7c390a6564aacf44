import Foundation
import TestSupport
import Testing

/// What `rushes info` counts is what there is and what is shown: judged by ffmpeg's decoder.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct InfoCountTests {
    private struct Info: Decodable {
        struct Video: Decodable { var frameCount: Int, shownFrameCount: Int?, frameRate: Double? }
        struct Other: Decodable { var codec: String }
        var video: [Video]
        var subtitles: [Other]?
        var duration: Double
        var complete: Bool
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ options: [String]) async throws {
        _ = try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error"] + options + [folder.file(name)])
    }

    private func info(_ name: String) async throws -> (told: Info, text: String) {
        let result = try await BuiltCommand.rushes.run(["info", "--json", folder.file(name)])
        let text = try await BuiltCommand.rushes.run(["info", folder.file(name)], environment: ["COLUMNS": "300"]).text
        return (try JSONDecoder().decode(Info.self, from: result.output), text)
    }

    /// As ffmpeg decodes it.
    private func frameCount(_ name: String) async throws -> Int {
        let judged = try await Tool.succeed(
            "ffprobe",
            ["-v", "quiet", "-count_frames", "-select_streams", "v", "-show_entries", "stream=nb_read_frames"]
                + ["-of", "csv=p=0", folder.file(name)])
        return try #require(judged.text.firstMatch(of: /[0-9]+/).flatMap { Int($0.0) })
    }

    private static let movie = [
        "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-f", "lavfi", "-i", "sine=duration=4", "-c:v",
        "libx264", "-preset", "veryfast", "-g", "25", "-c:a", "aac",
    ]

    @Test(arguments: ["a.mp4", "a.mov", "a.mkv"]) func `a download that broke off is as long as what is there`(
        name: String
    ) async throws {
        let isMatroska = name == "a.mkv"
        try await make(name, Self.movie + (isMatroska ? [] : ["-movflags", "+faststart"]))
        let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
        try bytes.prefix(bytes.count * 6 / 10).write(to: URL(filePath: folder.file(name)))
        let (told, text) = try await info(name)
        let video = try #require(told.video.first)
        #expect(try await (video.frameCount - 1...video.frameCount + 1).contains(frameCount(name)), "\(told)")
        #expect(abs(told.duration - Double(video.frameCount) / 25) < 0.2 && video.frameRate == 25, "\(told)")
        #expect(!told.complete && text.contains("cut off: copy it again from its source"), "\(text)")
        #expect(!text.contains("recorder"), "\(text)")
    }

    @Test func `frames that an edit list hides are told by themselves`() async throws {
        try await make("whole.mp4", Self.movie)
        try await make("in.mp4", ["-ss", "0.08", "-i", folder.file("whole.mp4"), "-c", "copy"])
        let shown = try await frameCount("in.mp4")
        let (told, text) = try await info("in.mp4")
        let video = try #require(told.video.first)
        #expect(video.frameCount == 100 && video.shownFrameCount == shown && shown == 98, "\(told)")
        #expect(text.contains("98 frames at 25, 2 more that its edit list hides"), "\(text)")
        let joined = try await BuiltCommand.rushes.run(
            ["join", folder.file("in.mp4"), folder.file("in.mp4"), "--output", folder.file("out.mp4")])
        #expect(joined.errors.contains(", 196 frames, "), "\(joined)")
        #expect(try await info("whole.mp4").told.video.first?.shownFrameCount == nil)
    }

    @Test func `images without a container`() async throws {
        let source = ["-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25:duration=1", "-c:v", "mjpeg"]
        try await make("one.jpg", source + ["-frames:v", "1"])
        try await make("many.mjpeg", source)
        for name in ["one.jpg", "many.mjpeg"] {
            #expect(try await info(name).told.video.first?.frameCount == frameCount(name), "\(name)")
        }
    }

    @Test func `a transport stream of teletext alone`() async throws {
        // An association, a map that names a stream of teletext in German (ETSI EN 300 468, 6.2.43), and one packet of it, four times.
        let tables: [[UInt8]] = [
            [0x47, 0x40, 0, 0x10, 0, 0, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xE1, 0, 0xE8, 0xF9, 0x5E, 0x7D],
            [0x47, 0x41, 0, 0x10, 0, 2, 0xB0, 25, 0, 1, 0xC1, 0, 0, 0xE1, 1, 0xF0, 0, 6, 0xE1, 1, 0xF0, 7, 0x56, 5]
                + Array("ger".utf8) + [0x10, 0, 0x18, 0x6A, 0xDF, 0x4B],
        ]
        let line: [UInt8] = [2, 44, 0xE7, 0xE4] + [UInt8](repeating: 0x15, count: 42)
        let head: [UInt8] = [0x47, 0x41, 1, 0x10, 0, 0, 1, 0xBD, 0, 178, 0x80, 0x80, 0x24, 0x21, 0, 5, 0xBF, 0x21]
        let text = head + [UInt8](repeating: 0xFF, count: 31) + [0x10] + line + line + line
        let packets = (tables + [text]).map { $0.prefix(188) + [UInt8](repeating: 0xFF, count: max(0, 188 - $0.count)) }
        try Data([[UInt8]](repeating: packets.flatMap(\.self), count: 4).joined())
            .write(to: URL(filePath: folder.file("in.ts")))
        let (told, words) = try await info("in.ts")
        #expect(told.video.isEmpty && told.subtitles?.map(\.codec) == ["dvb_teletext"], "\(words)")
        let export = try await BuiltCommand.rushes.run(
            ["transcode", folder.file("in.ts"), "--output", folder.file("out.mp4")])
        #expect(export.errors.contains("neither video nor audio"), "\(export)")
    }

    @Test func `a rate is told to the hertz`() async throws {
        try await make("in.wav", ["-f", "lavfi", "-i", "sine=duration=0.2", "-ar", "48016"])
        #expect(try await info("in.wav").text.contains("48.016 kHz"))
    }
}
