import Encoding
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// What frames say of their colors, through exports that encode; judged by ffprobe.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct ColorTests {
    /// Code points of ITU-T H.273: primaries, transfer, matrix, and as ffprobe names them.
    struct Colors: Sendable, CustomTestStringConvertible {
        var codes: [Int]
        var names: [String?]
        var testDescription: String { "\(codes)" }
    }

    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private static let told = [
        // xvYCC, which GStreamer's caps have no word for.
        Colors(codes: [1, 11, 1], names: ["bt709", "iec61966-2-4", "bt709"]),
        Colors(codes: [12, 17, 6], names: ["smpte432", "smpte428", "smpte170m"]),
        // Matrices that it has none for, with which it forgets all the rest.
        Colors(codes: [9, 14, 10], names: ["bt2020", "bt2020-10", "bt2020c"]),
        Colors(codes: [1, 1, 8], names: ["bt709", "bt709", "ycgco"]),
        Colors(codes: [9, 15, 14], names: ["bt2020", "bt2020-12", "ictcp"]),
        // Only a part is told.
        Colors(codes: [1, 2, 2], names: ["bt709", nil, nil]),
        // x265 does not open with these primaries.
        Colors(codes: [22, 6, 6], names: [nil, "smpte170m", "smpte170m"]),
        Colors(codes: [5, 6, 5], names: ["bt470bg", "smpte170m", "bt470bg"]),
    ]

    /// - Parameter stream: what its frames say; the container says what the encoder was told.
    private func make(_ name: String, _ encoder: [String], stream: String, container: [String] = []) async throws {
        let isHEVC = encoder.contains("libx265")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25:duration=0.2"]
                + ["-pix_fmt", "yuv420p", "-c:v"] + encoder + [
                    "-bsf:v", "\(isHEVC ? "hevc" : "h264")_metadata=\(stream)",
                ]
                + container + [folder.file(name)])
    }

    private func export(_ input: String, _ preset: String, to name: String) async throws -> (FFProbe.Stream, [String]) {
        let settings = ExportSettings(preset: preset)
        let result = try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
        try await FFmpeg.decode(folder.file(name))
        return (try #require(try await FFProbe.inspect(folder.file(name)).video.first), result.notes)
    }

    private func names(_ stream: FFProbe.Stream) -> [String?] {
        // Of EBU 3213 ffprobe says the name only where the container tells it.
        let unnamed = ["unknown", "reserved", "ebu3213"]
        return [stream.colorPrimaries, stream.colorTransfer, stream.colorSpace].map { name in
            name.flatMap { unnamed.contains($0) ? nil : $0 }
        }
    }

    @Test(arguments: Cases.taken(of: told))
    func `each codec says what the input's frames do`(_ colors: Colors) async throws {
        let codes = colors.codes
        try await make(
            "in.ts", ["libx264"],
            stream: "colour_primaries=\(codes[0]):transfer_characteristics=\(codes[1]):matrix_coefficients=\(codes[2])")
        for (preset, name) in [("hevc", "out.mp4"), ("hevc", "out.mkv"), ("av1", "av1.mp4"), ("prores-lt", "out.mov")] {
            let (stream, notes) = try await export("in.ts", preset, to: name)
            #expect(names(stream) == colors.names, "\(preset) in \(name)")
            #expect(!notes.contains { $0.contains("olors") }, "\(notes)")
        }
        // Back from what was written: the index and the frames say the same.
        let (stream, notes) = try await export("out.mp4", "h264", to: "back.mkv")
        #expect(names(stream) == colors.names)
        #expect(!notes.contains { $0.contains("index") }, "\(notes)")
    }

    @Test func `VP9 says the matrix, and what it cannot say is told`() async throws {
        try await make(
            "in.mp4", ["libx264"], stream: "colour_primaries=9:transfer_characteristics=1:matrix_coefficients=1")
        let (stream, notes) = try await export("in.mp4", "webm", to: "out.webm")
        #expect(names(stream) == ["bt2020", "bt709", "bt709"])
        #expect(!notes.contains { $0.contains("has no word") }, "\(notes)")
        try await make(
            "cl.mp4", ["libx264"], stream: "colour_primaries=9:transfer_characteristics=14:matrix_coefficients=10")
        let (later, lines) = try await export("cl.mp4", "webm", to: "cl.webm")
        #expect(names(later) == ["bt2020", "bt2020-10", nil])
        #expect(lines.contains { $0.contains("matrix (bt2020c)") }, "\(lines)")
    }

    @Test(arguments: [("center", 1), ("topleft", 2)])
    func `where chroma lies is said`(_ location: (name: String, code: Int)) async throws {
        try await make(
            "in.mp4", ["libx264"], stream: "chroma_sample_loc_type=\(location.code):matrix_coefficients=1")
        for (preset, name) in [("hevc", "out.mp4"), ("h264", "out.mkv")] {
            let input = preset == "hevc" ? "in.mp4" : "out.mp4"
            _ = try await export(input, preset, to: name)
            let told = try await Tool.succeed(
                "ffprobe",
                ["-v", "error", "-show_entries", "stream=chroma_location", "-of", "csv=p=0", folder.file(name)]
            ).text
            #expect(told.contains(location.name), "\(preset): \(told)")
        }
        // AV1 and VP9 have fewer words.
        let (_, notes) = try await export("in.mp4", "webm", to: "out.webm")
        #expect(notes.contains { $0.contains(location.name) }, "\(notes)")
    }

    /// x265 took the times of so short a movie from unknown memory.
    @Test(arguments: [1, 2]) func `HEVC of a frame or two is decoded when it is shown`(_ frames: Int) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25", "-frames:v", "\(frames)"]
                + ["-c:v", "ffv1", folder.file("in.mkv")])
        _ = try await export("in.mkv", "hevc", to: "out.mp4")
        let times = try await Tool.succeed(
            "ffprobe", ["-v", "error", "-show_entries", "packet=pts,dts", "-of", "csv=p=0", folder.file("out.mp4")]
        ).text.split(separator: "\n").map { $0.split(separator: ",") }
        #expect(times.count == frames && times.allSatisfy { $0[0] == $0[1] }, "\(times)")
    }

    @Test func `where the index and the frames differ, the frames are believed, and it is told`() async throws {
        let colors = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"]
        try await make(
            "in.mp4", ["libx264"] + colors,
            stream: "colour_primaries=5:transfer_characteristics=6:matrix_coefficients=5")
        let (stream, notes) = try await export("in.mp4", "hevc", to: "out.mp4")
        #expect(names(stream) == ["bt470bg", "smpte170m", "bt470bg"])
        #expect(notes.contains { $0.hasPrefix("The index says that the colors are bt709, bt709, bt709") }, "\(notes)")
    }

    @Test(arguments: [("128x96", "smpte170m"), ("1280x720", "bt709")])
    func `RGB becomes luma and chroma, and says by which matrix`(_ size: String, matrix: String) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=orange:size=\(size):rate=25:duration=0.2"]
                + ["-c:v", "libx264rgb", "-qp", "0", "-preset", "ultrafast", "-bsf:v"]
                + ["h264_metadata=colour_primaries=12:transfer_characteristics=13:matrix_coefficients=0"]
                + [folder.file("in.mkv")])
        for (preset, name) in [("prores-lt", "out.mov"), ("hevc", "out.mp4"), ("webm", "out.webm")] {
            let (stream, _) = try await export("in.mkv", preset, to: name)
            #expect(names(stream) == ["smpte432", "iec61966-2-1", matrix], "\(preset)")
            let shown = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", folder.file(name), "-frames:v", "1"]
                    + ["-vf", "crop=2:2:64:48,scale,format=gbrp", "-f", "rawvideo", "-"]
            ).output
            // Orange, as planes of green, blue and red.
            let orange = [165, 165, 165, 165, 0, 0, 0, 0, 255, 255, 255, 255]
            #expect(zip(shown, orange).allSatisfy { abs(Int($0) - $1) < 8 }, "\(preset): \(Array(shown))")
        }
    }
}
