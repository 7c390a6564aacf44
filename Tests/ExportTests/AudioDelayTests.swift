import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Audio that is presented later or earlier than in the input.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg"))
struct AudioDelayTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Three seconds of frames, and a tone that begins after one.
    private func make(_ name: String, _ options: String = "-c:v libx264 -preset ultrafast -bf 0 -c:a aac") async throws
    {
        try await Fixtures.make(
            folder.file(name), "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=3"]
                + ["-f", "lavfi", "-i", "sine=frequency=440:duration=2:sample_rate=48000,adelay=1000"]
                + Tool.words("-pix_fmt yuv420p \(options)"))
    }

    /// - Returns: its result, and when the tone begins behind the first frame, in seconds, as ffmpeg plays it.
    private func delayed(
        _ input: String, by delay: MediaTime, to name: String, _ change: (inout ExportSettings) -> Void = { _ in }
    ) async throws -> (result: ExportResult, tone: Double) {
        var settings = ExportSettings(preset: "h264")
        settings.audioDelay = delay
        change(&settings)
        let result = try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
        try await FFmpeg.decode(folder.file(name))
        // Before audio that begins late ffmpeg puts silence, with which the tone is where players present it.
        let report = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-hide_banner", "-i", folder.file(name), "-vn", "-af",
                "aresample=async=1:first_pts=0,silencedetect=-30dB:d=0.1", "-f", "null", "-",
            ])
        let end = report.errors.split(separator: "silence_end: ").dropFirst().first?.prefix { $0 != " " } ?? ""
        return (result, try #require(Double(end)))
    }

    @Test(
        arguments: Cases.taken(
            of: [(0.3, "out.mp4"), (-0.4, "out.mp4"), (0.3, "out.mkv"), (-0.4, "out.mkv"), (-0.4, "out.mov")],
            ["h264", "copy"], most: 4))
    func `it is that much later, or earlier`(given: (delay: Double, name: String), preset: String) async throws {
        try await make("in.mov")
        let (result, tone) = try await delayed("in.mov", by: MediaTime(seconds: given.delay), to: given.name) {
            $0.preset = preset
        }
        #expect(abs(tone - 1 - given.delay) < 0.03, "\(result.notes)")
        #expect(result.frames == 75)
        #expect(!result.notes.contains { $0.contains("before the input") }, "\(result.notes)")
        let probe = try await FFProbe.inspect(folder.file(given.name))
        #expect(abs((probe.format.duration?.value ?? 0) - 3 - max(0, given.delay)) < 0.06)
    }

    @Test func `a part takes what is presented in it`() async throws {
        try await make("in.mkv")
        for (delay, begin) in [(0.5, 1.0), (-0.5, 0.25)] {
            let (_, tone) = try await delayed("in.mkv", by: MediaTime(seconds: delay), to: "\(begin).mp4") {
                $0.range = TimeRange(start: MediaTime(seconds: begin), end: MediaTime(seconds: 2))
            }
            #expect(abs(tone - (1 + delay - begin)) < 0.03)
        }
    }

    @Test func `a transport stream, whose times begin anywhere, keeps its frames where they are`() async throws {
        try await make("in.ts")
        let (result, tone) = try await delayed("in.ts", by: -400 * .millisecond, to: "out.mp4")
        #expect(abs(tone - 0.6) < 0.03)
        #expect(abs(result.duration.seconds - 3) < 0.05)
        let frames = try await FFProbe.frames("v", of: folder.file("out.mp4"))
        #expect(frames.count == 75)
    }

    @Test func `what cannot be moved is refused`() async throws {
        try await make("in.mov")
        let refused: [(inout ExportSettings) -> Void] = [
            { $0.parts = [TimeRange(end: .second), TimeRange(start: .second * 2)] },
            { ($0.preset, $0.range) = ("copy", TimeRange(start: .second)) },
            { $0.audio = .codec(.none) },
            { $0.audioDelay = .second * 4000 },
        ]
        for change in refused {
            await #expect(throws: RushesError.self) {
                _ = try await delayed("in.mov", by: .second, to: "no.mp4", change)
            }
        }
        #expect(folder.contents.sorted() == ["in.mov"])
    }
}
