import Encoding
import Errors
import Foundation
import GStreamer
import Imaging
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing
@testable import Composition
@testable import Export

/// Frames that are turned, or change their size.
extension TimelapseLookTests {
    /// As of a phone: what people see is 120 wide and 160 high.
    func portrait(_ name: String) async throws -> FilePath {
        let path = FilePath(folder.file(name))
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", scene, "-frames:v", "100", "-vf", "lutyuv=y=val/3", "-c:v", "libx264",
                "-qp", "8", "-g", "25",
            ]
                + ["-metadata", "creation_time=2026-06-21T23:58:30Z", folder.file(name)])
        try MovieEditing.setOrientation(MovieOrientation(rotation: .quarter), ofMovieAt: path)
        return path
    }

    @Test func `what is drawn lies in a rotated video as people see it`() async throws {
        let source = try await portrait("portrait.mov")
        let area = try #require(FrameArea(x: 0, y: 0, width: 0.5, height: 0.5))
        func made(_ name: String, _ change: (inout TimelapseLook) -> Void) async throws {
            var timelapse = Timelapse(ofVideo: source, .speed(10))
            (timelapse.rate, timelapse.isExact) = (Fraction(25), true)
            change(&timelapse.look)
            var settings = ExportSettings(preset: "h264")
            settings.rateControl = .quality(98)
            _ = try await ExportSession(timelapse, settings: settings, center: nil)
                .export(to: MovieDestination(FilePath(folder.file(name))))
            let frame = try await FFProbe.inspect(folder.file(name)).video.first
            #expect(frame?.width == 120 && frame?.height == 160 && frame?.displayMatrixRotation ?? 0 == 0, "\(name)")
        }
        // As ffmpeg turns it.
        func wanted(_ filter: String, to name: String) async throws {
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", source.string, "-vf", filter, "-fps_mode", "passthrough"]
                    + (name.hasSuffix("png") ? ["-frames:v", "1"] : ["-c:v", "ffv1"]) + [folder.file(name)])
        }
        try await made("pan.mp4") { $0.pan = .init(from: area, to: area) }
        try await wanted(
            "select='eq(mod(n,10),0)',setpts=N/25/TB,crop=60:80:0:0,scale=120:160:flags=bilinear", to: "pan.mkv")
        #expect(try await FFmpeg.psnr(of: folder.file("pan.mp4"), reference: folder.file("pan.mkv")) > 30)
        try await made("images.mp4") {
            $0.keogram = MovieDestination(FilePath(folder.file("day.png")))
            $0.trails = MovieDestination(FilePath(folder.file("stars.png")))
            $0.stamp = "%R"
        }
        try await wanted("select='eq(mod(n,10),0)',format=rgb24,crop=1:160:60:0,tile=10x1", to: "columns.png")
        let (keogram, columns) = (try await pixels("day.png"), try await pixels("columns.png"))
        #expect(keogram.count == 10 * 160 * 3 && columns.count == keogram.count)
        #expect(zip(keogram, columns).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } < 6 * columns.count)
        let trails = try await FFProbe.inspect(folder.file("stars.png")).video.first
        #expect(trails?.width == 120 && trails?.height == 160)
        // The text alone makes the two differ, and it stands in the lower left corner, wider than high.
        try await wanted("select='eq(n,0)',format=gray", to: "plain.png")
        let first = folder.file("stamped.png")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file("images.mp4"), "-vf", "format=gray"]
                + ["-frames:v", "1", first])
        let (plain, stamped) = (try await pixels("plain.png"), try await pixels("stamped.png"))
        let changed = (0..<120 * 160).filter { abs(Int(plain[$0 * 3]) - Int(stamped[$0 * 3])) > 60 }
        let (columnsOfText, rowsOfText) = (changed.map { $0 % 120 }, changed.map { $0 / 120 })
        #expect((rowsOfText.min() ?? 0) >= 140 && (columnsOfText.max() ?? 200) < 60 && changed.count > 20)
    }

    @Test(arguments: [("320x240", "160x120"), ("160x120", "320x240")])
    func `frames that change their size all are in the images`(_ sizes: (String, String)) async throws {
        let parts = [folder.file("one.ts"), folder.file("two.ts")]
        for (path, size) in zip(parts, [sizes.0, sizes.1]) {
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=c=0x102040:size=\(size):rate=25:duration=2"]
                    + ["-vf", "drawbox=y=0:h=ih/2:c=0x403010:t=fill", "-c:v", "libx264", "-g", "10", path])
        }
        let joined = folder.file("joined.ts")
        try (try Data(contentsOf: URL(filePath: parts[0])) + Data(contentsOf: URL(filePath: parts[1]))).write(
            to: URL(filePath: joined))
        var timelapse = Timelapse(ofVideo: FilePath(joined), .speed(2))
        timelapse.rate = Fraction(25)
        timelapse.look.keogram = MovieDestination(FilePath(folder.file("day.png")))
        timelapse.look.trails = MovieDestination(FilePath(folder.file("stars.png")))
        let result = try await ExportSession(timelapse, settings: ExportSettings(preset: "h264"), center: nil)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        let frames = result.frames
        #expect(result.notes.contains { $0.contains("of \(frames) of \(frames) frames") }, "\(result.notes)")
        let image = try await FFProbe.inspect(folder.file("day.png")).video.first
        #expect(image?.height == (sizes.0 == "320x240" ? 240 : 120) && image?.width == frames)
        let (height, width) = (try #require(image?.height), frames)
        let keogram = try await pixels("day.png")
        for column in [0, width - 1] {
            for (row, red, blue) in [(height / 4, 0x40, 0x10), (height * 3 / 4, 0x10, 0x40)] {
                let place = (row * width + column) * 3
                #expect(abs(Int(keogram[place]) - red) < 8 && abs(Int(keogram[place + 2]) - blue) < 8)
            }
        }
    }
}
