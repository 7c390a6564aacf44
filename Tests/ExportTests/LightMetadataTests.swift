import Encoding
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// What HDR10 tells of light, through exports; judged by ffprobe and mediainfo.
@Suite(
    .timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg"),
    .requires(tool: "mediainfo", package: "mediainfo"))
struct LightMetadataTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String) async throws {
        let display = "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(40000000,50)"
        try await Fixtures.make(
            folder.file(name), "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25", "-frames:v", "6"]
                + ["-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-tag:v", "hvc1", "-x265-params"]
                + ["log-level=none:repeat-headers=1:\(display):max-cll=1600,400", "-color_primaries", "bt2020"]
                + ["-color_trc", "smpte2084", "-colorspace", "bt2020nc"])
    }

    private func export(_ input: String, _ preset: String, to name: String) async throws {
        _ = try await ExportSession(input: FilePath(folder.file(input)), settings: ExportSettings(preset: preset))
            .export(to: MovieDestination(FilePath(folder.file(name))))
    }

    /// Of the file, not of the stream in it.
    private func expectLight(_ name: String) async throws {
        let video = try #require(try await FFProbe.inspect(folder.file(name)).video.first)
        let sideData = video.sideDataList ?? []
        let display = try #require(sideData.first { $0.sideDataType == "Mastering display metadata" }, "\(name)")
        #expect(abs((display.redX?.value ?? 0) - 0.68) < 1e-4, "\(name)")
        #expect(display.maxLuminance?.value == 4000 && abs((display.minLuminance?.value ?? 0) - 0.005) < 1e-6)
        let content = try #require(sideData.first { $0.sideDataType == "Content light level metadata" }, "\(name)")
        #expect(content.maxContent == 1600 && content.maxAverage == 400, "\(name)")
        let told = try #require(try await MediaInfo.inspect(folder.file(name)).video.first)
        #expect(told["MasteringDisplay_Luminance"] == "min: 0.0050 cd/m2, max: 4000 cd/m2", "\(name)")
        #expect(told["MaxCLL"]?.hasPrefix("1600") == true && told["MaxFALL"]?.hasPrefix("400") == true, "\(name)")
    }

    @Test(arguments: ["mp4", "mkv"]) func `ProRes tells it, and what is made of that`(ending: String) async throws {
        try await make("in.\(ending)")
        try await export("in.\(ending)", "prores-422", to: "edit.mov")
        try await expectLight("edit.mov")
        try await export("edit.mov", "copy", to: "copy.mov")
        try await expectLight("copy.mov")
        // ProRes has no place for it in its frames.
        try await export("copy.mov", "hevc", to: "out.mp4")
        try await expectLight("out.mp4")
        // A decoder with several threads may give nothing for one packet alone.
        let frame = try await Tool.succeed(
            "ffprobe", ["-v", "error", "-read_intervals", "%+#8", "-show_frames", folder.file("out.mp4")]
        ).text
        #expect(frame.contains("max_content=1600") && frame.contains("max_luminance=40000000/10000"), "\(frame)")
        try await export("copy.mov", "h264", to: "flat.mp4")
        #expect(try await FFProbe.inspect(folder.file("flat.mp4")).video.first?.sideDataList == nil)
    }

    @Test func `Matroska and WebM tell it, encoded or copied`() async throws {
        try await make("in.mp4")
        try await export("in.mp4", "prores-422", to: "edit.mov")
        for (preset, name) in [
            ("prores-422", "copied.mkv"), ("copy", "copy.mkv"), ("hevc", "encoded.mkv"), ("webm", "encoded.webm"),
        ] {
            try await export("edit.mov", preset, to: name)
            try await expectLight(name)
        }
        try await export("in.mp4", "prores-422", to: "edit.mkv")
        try await expectLight("edit.mkv")
    }

    @Test(arguments: ["mp4", "mkv"]) func `it is found among the frames of AV1`(ending: String) async throws {
        let light =
            "mastering-display=G(0.265,0.69)B(0.15,0.06)R(0.68,0.32)WP(0.3127,0.329)L(4000,0.005):content-light=1600,400"
        try await Fixtures.make(
            folder.file("in.\(ending)"), "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25", "-frames:v", "6"]
                + ["-pix_fmt", "yuv420p10le", "-c:v", "libsvtav1", "-preset", "10", "-svtav1-params", light]
                + ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"])
        for (preset, name) in [("hevc", "out.mp4"), ("prores-422", "edit.mov")] {
            try await export("in.\(ending)", preset, to: name)
            try await expectLight(name)
        }
    }
}
