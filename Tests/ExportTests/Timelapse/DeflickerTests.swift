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
    /// Two stops, most of them within the middle hundred frames.
    private static let sunrise = "0.2+0.6/(1+exp(-(N-120)/25))"
    /// Evenly spread, with a standard deviation of 8 %; the same in each run.
    private static let error = "(1+0.277*(mod(abs(sin((N+1)*12.9898)*43758.5453)\\,1)-0.5))"

    private func scene(_ light: String) -> [String] {
        // ffmpeg's filter knows limited values alone, of which black is 16.
        let filter =
            "testsrc2=size=160x120:rate=25,select='eq(n\\,0)',loop=loop=-1:size=1,setpts=N/25/TB,gblur=2,"
            + "geq=lum='16+(24+lum(X\\,Y)/2)*pow(\(light)\\,1/2.2)':cb='128+(cb(X\\,Y)-128)/3':cr='128+(cr(X\\,Y)-128)/3'"
        return ["-nostdin", "-v", "error", "-f", "lavfi", "-i", filter, "-frames:v", "\(Self.count)"]
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
        _ = try await Tool.succeed(
            "ffmpeg", scene("(\(Self.sunrise))*\(Self.error)") + ["-pix_fmt", "yuvj420p", "-q:v", "2", noisy])
        _ = try await Tool.succeed(
            "ffmpeg", scene(Self.sunrise) + ["-pix_fmt", "yuvj420p", "-q:v", "2", folder.file("true%03d.jpg")])
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
