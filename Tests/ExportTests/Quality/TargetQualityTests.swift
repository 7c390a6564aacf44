import Encoding
import Errors
import Foundation
import GStreamer
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// Exports that look for their quality, of a real clip, measured by ffmpeg afterwards.
@Suite(.serialized, .timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct TargetQualityTests {
    private let folder: TemporaryFolder
    private let clip = Checkout.media("big-buck-bunny.mp4")

    init() throws { folder = try TemporaryFolder() }

    /// A second and a half of a part of the frame, which ffmpeg cuts out likewise.
    private func settings(_ preset: String, _ goal: TargetQuality) -> ExportSettings {
        var settings = ExportSettings(preset: preset)
        settings.range = TimeRange(start: .second, end: .second * 5 / 2)
        settings.crop = CropArea(x: 200, y: 120, size: VideoSize(256, 144))
        settings.targetQuality = goal
        return settings
    }

    private func reference(_ trim: String = "trim=1:2.5,") async throws -> String {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", clip, "-an", "-vf", trim + "crop=256:144:200:120", "-c:v", "ffv1"]
                + [folder.file("reference.mkv")])
        return folder.file("reference.mkv")
    }

    private func export(_ settings: ExportSettings, to name: String) async throws -> ExportResult {
        try await ExportSession(input: FilePath(clip), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
    }

    @Test(arguments: ["h264", "hevc", "av1"]) func `the lowest quality that is like enough is taken, and said`(
        preset: String
    ) async throws {
        let goal = TargetQuality(.ssim, 0.99)
        let reference = try await reference()
        let result = try await export(settings(preset, goal), to: "found.mp4")
        #expect(result.frames == 36)
        let note = try #require(result.notes.first { $0.hasPrefix("SSIM 0.99") }, "\(result.notes)")
        let words = try #require(
            try #/ on samples at (crf|quantiser) \d+ \(quality (\d+)\), \d tries?\./#.firstMatch(in: note))
        let measured = try await FFmpeg.ssim(of: folder.file("found.mp4"), reference: reference)
        #expect(measured >= 0.99, "\(note)")
        // The same as was measured on the samples, which were all of it.
        let said = try #require(Double(note.dropFirst(5).prefix { $0 != " " }))
        #expect(abs(measured - said) < 0.0001, "\(note)")
        // The next quality would not have done.
        var less = settings(preset, goal)
        less.targetQuality = nil
        less.rateControl = .quality((Int(words.2) ?? 0) - 3)
        _ = try await export(less, to: "less.mp4")
        #expect(try await FFmpeg.ssim(of: folder.file("less.mp4"), reference: reference) < 0.99)
        #expect(Set(folder.contents) == ["reference.mkv", "found.mp4", "less.mp4"])
    }

    @Test func `samples stand for what is longer`() async throws {
        var settings = settings("h264", TargetQuality(.ssim, 0.985))
        settings.range = nil
        #expect(try await export(settings, to: "whole.mkv").frames == 252)
        let measured = try await FFmpeg.ssim(of: folder.file("whole.mkv"), reference: reference(""))
        #expect(abs(measured - 0.985) < 0.015)
    }

    @Test func `what no quality reaches is refused, and nothing is left`() async throws {
        let error = await #expect(throws: RushesError.self) {
            try await export(settings("h264", TargetQuality(.ssim, 0.999999)), to: "never.mp4")
        }
        #expect(error?.code == .qualityUnreachable && error?.description.contains("ask for less") == true)
        #expect(folder.contents.isEmpty)
    }

    @Test func `a search that is cancelled leaves nothing`() async throws {
        var settings = settings("hevc", TargetQuality(.ssim, 0.97))
        settings.range = nil
        let session = ExportSession(input: FilePath(clip), settings: settings)
        let destination = MovieDestination(FilePath(folder.file("never.mp4")))
        let work = Task { try await session.export(to: destination) }
        for await state in session.states(updateInterval: .milliseconds(10)) {
            if case .exporting(let progress) = state, progress.step?.hasPrefix("Looking for the quality") == true {
                break
            }
        }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(folder.contents.isEmpty)
    }

    @Test func `a search pauses with the export`() async throws {
        let session = ExportSession(input: FilePath(clip), settings: settings("h264", TargetQuality(.ssim, 0.97)))
        let destination = MovieDestination(FilePath(folder.file("later.mp4")))
        session.pause()
        let work = Task { try await session.export(to: destination) }
        var states = session.states(updateInterval: .milliseconds(20)).makeAsyncIterator()
        while let state = await states.next(), state != .waiting {}
        #expect(folder.contents.isEmpty)
        session.resume()
        #expect(try await work.value.frames == 36)
    }
}
