import Imaging
import Encoding
import Foundation
import MediaTypes
import Photos
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// A sunrise whose exposures are off by 8 %, as photos; judged by ffmpeg's decoder, beside ffmpeg's own filter.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct DeflickerTests {
    private static let count = 240
    /// Small: what is not optimised takes its time for each pixel.
    private static let (size, pixels) = ("96x72", 96 * 72)

    /// Two stops, most of them within the middle hundred frames.
    private func sunrise(_ frame: Int) -> Double { 0.2 + 0.6 / (1 + exp(-Double(frame - 120) / 25)) }

    /// Evenly spread, with a standard deviation of 8 %; the same in each run.
    private func error(_ frame: Int) -> Double {
        let spread = abs(sin(Double(frame + 1) * 12.9898) * 43758.5453)
        return 1 + 0.277 * (spread.truncatingRemainder(dividingBy: 1) - 0.5)
    }

    /// Writes one scene as photos, in a light that changes from one to the next.
    private func shoot(_ names: String, in light: (_ frame: Int) -> Double, _ folder: TemporaryFolder) async throws {
        let picture = "testsrc2=size=\(Self.size),gblur=2,format=yuv420p"
        let scene = try await Tool.succeed(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", picture, "-frames:v", "1", "-f", "rawvideo", "-"])
        let luma = scene.output.prefix(Self.pixels)
        var frames = Data()
        for frame in 0..<Self.count {
            let gain = pow(light(frame), 1 / 2.2)
            // ffmpeg's filter knows limited values alone, of which black is 16.
            let shown = (0...255).map { level -> UInt8 in UInt8(16 + (24 + Double(level) / 2) * gain) }
            frames.append(contentsOf: luma.map { shown[Int($0)] })
            frames.append(
                contentsOf: scene.output.dropFirst(luma.count).map { chroma -> UInt8 in
                    UInt8(128 + (Int(chroma) - 128) / 3)
                })
        }
        try frames.write(to: URL(filePath: folder.file("frames.yuv")))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", Self.size]
                + ["-i", folder.file("frames.yuv"), "-pix_fmt", "yuvj420p", "-q:v", "2", folder.file(names)])
    }

    /// The mean of luma of each frame.
    private func means(_ input: [String], _ filter: String = "null") async throws -> [Double] {
        let result = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + input + [
                "-vf", "\(filter),extractplanes=y,format=gray", "-fps_mode", "passthrough",
            ]
                + ["-f", "rawvideo", "-"])
        return Pixels.means(Array(result.output), pixels: Self.pixels)
    }

    /// How much more each frame differs from the one before it than in a sunrise without errors, as a part of its luma.
    private func flicker(_ means: [Double], _ truth: [Double]) -> Double {
        let steps = zip(means, truth).map { $0 / $1 }
        let squares = zip(steps, steps.dropFirst()).map { ($1 / $0 - 1) * ($1 / $0 - 1) }
        return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }

    enum Source: String, CaseIterable { case photos, video }

    /// A timelapse of the photos, or of a video of them, with as little noise of the encoder as can be.
    private func session(
        of source: Source, _ photos: String, in folder: TemporaryFolder, _ light: (inout TimelapseLight) -> Void
    ) async throws -> ExportSession {
        var settings = ExportSettings(preset: "h264")
        settings.rateControl = .quality(100)
        switch source {
        case .photos:
            var timelapse = Timelapse(ofPhotos: [FilePath(folder.file("shot*.jpg"))])
            light(&timelapse.light)
            return try ExportSession(timelapse, settings: settings, center: nil)
        case .video:
            try await film(photos, to: folder.file("long.mp4"))
            var timelapse = Timelapse(ofVideo: FilePath(folder.file("long.mp4")), .speed(2))
            light(&timelapse.light)
            return try ExportSession(timelapse, settings: settings, center: nil)
        }
    }

    @Test(arguments: Source.allCases) func `exposures are evened out, and the sunrise stays`(source: Source)
        async throws
    {
        let folder = try TemporaryFolder()
        let noisy = folder.file("shot%03d.jpg")
        try await shoot("shot%03d.jpg", in: { sunrise($0) * error($0) }, folder)
        try await shoot("true%03d.jpg", in: sunrise, folder)
        let truth = try await means(["-i", folder.file("true%03d.jpg")])
        let before = try await means(["-i", noisy])
        let theirs = try await means(["-i", noisy], "deflicker")
        let session = try await session(of: source, noisy, in: folder) { $0.deflickers = true }
        _ = try await session.export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        // ffmpeg's own frames of a full range, whatever the movie has.
        let after = try await means(
            ["-i", folder.file("out.mp4")], source == .video ? "scale=out_range=pc,format=yuvj420p" : "null")
        #expect(after.count == Self.count && truth.count == Self.count)
        let (was, now, ffmpeg) = (flicker(before, truth), flicker(after, truth), flicker(theirs, truth))
        let ratios = zip(after, truth).map { $0 / $1 }
        let level = ratios.reduce(0, +) / Double(ratios.count)
        let off = ratios.map { abs($0 / level - 1) }.max() ?? 1
        let theirRatios = zip(theirs, truth).map { $0 / $1 }
        let theirLevel = theirRatios.reduce(0, +) / Double(theirRatios.count)
        let theirOff = theirRatios.map { abs($0 / theirLevel - 1) }.max() ?? 1
        print(
            "\(source): flicker before \(was), after \(now), ffmpeg \(ffmpeg); off the sunrise \(off), ffmpeg \(theirOff)"
        )
        #expect(was > 0.03 && now <= 0.005 && now * 10 <= was && now < ffmpeg)
        #expect(off <= 0.02 && off < theirOff)
    }

    /// A video in which each photo is a key frame and is shown twice; limited, as videos are.
    private func film(_ photos: String, to path: String) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-framerate", "30", "-i", photos]
                + [
                    "-vf", "scale=out_range=tv,format=yuv420p,setpts=2*PTS,fps=30", "-c:v", "libx264", "-qp", "6", "-g",
                    "2", path,
                ])
    }

    @Test func `what libavcodec alone decodes is evened out, too`() async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=gray:size=96x72:rate=25:duration=1.2"]
                + ["-vf", "geq=lum='90+40*mod(N,2)':cb=128:cr=128", "-c:v", "svq1", folder.file("in.mkv")])
        var timelapse = Timelapse(ofVideo: FilePath(folder.file("in.mkv")), .speed(1))
        (timelapse.light.deflickers, timelapse.rate) = (true, Fraction(25))
        _ = try await ExportSession(timelapse, settings: ExportSettings(preset: "h264"), center: nil)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        let after = try await means(["-i", folder.file("out.mp4")])
        #expect(after.count == 30)
        let inside = after.dropFirst(5).dropLast(5)
        #expect(try #require(inside.max()) - #require(inside.min()) < 12, "\(after)")
    }

    @Test(arguments: Source.allCases) func `flashes are left out, and nothing else`(source: Source) async throws {
        let folder = try TemporaryFolder()
        let flashes = [3, 40, 41, 120, 200]
        try await shoot(
            "shot%03d.jpg", in: { sunrise($0) * (flashes.contains($0) ? 2 : 1) * (1 + 0.3 * (error($0) - 1)) }, folder)
        let light = try await means(["-i", folder.file("shot%03d.jpg")])
        let session = try await session(of: source, folder.file("shot%03d.jpg"), in: folder) { $0.dropsFlashes = true }
        let result = try await session.export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        #expect(result.notes.contains { $0.hasPrefix("5 of 240") && $0.contains("stand") }, "\(result.notes)")
        let after = try await means(
            ["-i", folder.file("out.mp4")], source == .video ? "scale=out_range=pc,format=yuvj420p" : "null")
        let kept = light.indices.filter { !flashes.contains($0) }.map { light[$0] }
        #expect(after.count == kept.count && result.frames == kept.count)
        #expect(zip(after, kept).allSatisfy { abs($0 - $1) < 3 })
        // One behind the other, without a gap.
        let times = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-show_entries", "frame=pts_time", "-of", "csv=p=0", folder.file("out.mp4")]
        ).text.split(whereSeparator: { $0.isNewline || $0 == "," }).compactMap { Double($0) }
        #expect(times.count == kept.count)
        for (number, time) in times.enumerated() { #expect(abs(time - Double(number) / 30) < 0.002) }
    }

    @Test func `of a region only its light counts, as it is shown`() async throws {
        let folder = try TemporaryFolder()
        // A lamp at the upper right that flashes, and a wall that stays.
        let lamp = "drawbox=x=120:y=0:w=40:h=60:t=fill:color=white:enable='eq(mod(n,9),4)'"
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=0x303030:size=160x120:rate=30,\(lamp)"]
                + ["-frames:v", "45", "-c:v", "libx264", "-qp", "6", "-g", "1", folder.file("lamp.mp4")])
        for (area, count) in [
            (FrameArea(x: 0.7, y: 0, width: 0.3, height: 0.5), 40), (FrameArea(x: 0, y: 0, width: 0.7, height: 1), 45),
        ] {
            var timelapse = Timelapse(ofVideo: FilePath(folder.file("lamp.mp4")), .speed(1.0001))
            (timelapse.light.dropsFlashes, timelapse.light.region, timelapse.isExact) = (true, area, true)
            let name = folder.file("out\(count).mp4")
            let result = try await ExportSession(timelapse, settings: ExportSettings(preset: "h264"), center: nil)
                .export(to: MovieDestination(FilePath(name)))
            #expect(abs(result.frames - count) <= 1, "\(result.notes)")
        }
        let area = try #require(FrameArea(x: 0.1, y: 0.2, width: 0.3, height: 0.4))
        #expect(area.stored(.none, isMirrored: true).width == 0.3)
        #expect(abs(area.stored(.none, isMirrored: true).x - 0.6) < 1e-9)
        for (rotation, x, y) in [
            (MovieOrientation.Rotation.quarter, 0.2, 0.6), (.half, 0.6, 0.4), (.threeQuarters, 0.4, 0.1),
        ] {
            let stored = area.stored(rotation, isMirrored: false)
            #expect(abs(stored.x - x) < 1e-9 && abs(stored.y - y) < 1e-9)
            #expect(stored.width == (rotation == .half ? 0.3 : 0.4))
        }
    }
}
