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
    private static let size = "160x120"

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
        let luma = scene.output.prefix(160 * 120)
        var frames = Data()
        for frame in 0..<Self.count {
            let gain = pow(light(frame), 1 / 2.2)
            // ffmpeg's filter knows limited values alone, of which black is 16.
            let shown = (0...255).map { UInt8(16 + (24 + Double($0) / 2) * gain) }
            frames.append(contentsOf: luma.map { shown[Int($0)] })
            frames.append(contentsOf: scene.output.dropFirst(luma.count).map { UInt8(128 + (Int($0) - 128) / 3) })
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
        let bytes = Array(result.output)
        return stride(from: 0, to: bytes.count, by: 160 * 120).map { begin in
            Double(bytes[begin..<begin + 160 * 120].reduce(0) { $0 + Int($1) }) / (160 * 120)
        }
    }

    /// How much more each frame differs from the one before it than in a sunrise without errors, as a part of its luma.
    private func flicker(_ means: [Double], _ truth: [Double]) -> Double {
        let steps = zip(means, truth).map { $0 / $1 }
        let squares = zip(steps, steps.dropFirst()).map { ($1 / $0 - 1) * ($1 / $0 - 1) }
        return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }

    @Test func `exposures are evened out, and the sunrise stays`() async throws {
        let folder = try TemporaryFolder()
        let noisy = folder.file("shot%03d.jpg")
        try await shoot("shot%03d.jpg", in: { sunrise($0) * error($0) }, folder)
        try await shoot("true%03d.jpg", in: sunrise, folder)
        let truth = try await means(["-i", folder.file("true%03d.jpg")])
        let before = try await means(["-i", noisy])
        let theirs = try await means(["-i", noisy], "deflicker")
        var timelapse = PhotoTimelapse([FilePath(folder.file("shot*.jpg"))])
        timelapse.deflickers = true
        var settings = ExportSettings(preset: "h264")
        settings.rateControl = .quality(95)
        _ = try await ExportSession(timelapse, settings: settings, center: nil)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        let after = try await means(["-i", folder.file("out.mp4")])
        #expect(after.count == Self.count && truth.count == Self.count)
        let (was, now, ffmpeg) = (flicker(before, truth), flicker(after, truth), flicker(theirs, truth))
        let ratios = zip(after, truth).map { $0 / $1 }
        let level = ratios.reduce(0, +) / Double(ratios.count)
        let off = ratios.map { abs($0 / level - 1) }.max() ?? 1
        let theirRatios = zip(theirs, truth).map { $0 / $1 }
        let theirLevel = theirRatios.reduce(0, +) / Double(theirRatios.count)
        let theirOff = theirRatios.map { abs($0 / theirLevel - 1) }.max() ?? 1
        print("flicker before \(was), after \(now), ffmpeg \(ffmpeg); off the sunrise \(off), ffmpeg \(theirOff)")
        #expect(was > 0.03 && now <= 0.005 && now * 10 <= was && now < ffmpeg)
        #expect(off <= 0.02 && off < theirOff)
    }
}
