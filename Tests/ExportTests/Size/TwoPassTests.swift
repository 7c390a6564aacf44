import Encoding
import Errors
import Foundation
import GStreamer
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Export

/// Whole exports to a size, of a clip whose second half is much harder than its first.
@Suite(.serialized, .timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct TwoPassTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func makeClip() async throws -> FilePath {
        let path = folder.file("uneven.mkv")
        let inputs = [
            "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=3",
            "-f", "lavfi", "-i", "sine=frequency=400:duration=3",
        ]
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + inputs
                + ["-vf", "noise=alls=40:allf=t:enable='gt(t,1.5)',format=yuv420p", "-c:v", "ffv1", "-c:a", "flac"]
                + [path])
        return FilePath(path)
    }

    /// What the encoders write into their streams about themselves.
    @Test(arguments: [
        ("h264", "out.mp4", "rc=2pass"), ("hevc-fast", "out.mov", "stats-read=2"), ("webm", "out.webm", ""),
    ]) func `a size is met in two passes, and nothing else is left`(preset: String, name: String, mark: String)
        async throws
    {
        var settings = ExportSettings(preset: preset)
        settings.targetSize = 120_000
        settings.verification = .full
        let session = ExportSession(input: try await makeClip(), settings: settings)
        let seen = Locked<[ExportProgress]>([])
        let watch = Task {
            for await state in session.states(updateInterval: .milliseconds(10)) {
                if case .exporting(let progress) = state { seen.withLock { $0.append(progress) } }
            }
        }
        let result = try await session.export(to: MovieDestination(FilePath(folder.file(name))))
        await watch.value
        let data = try Data(contentsOf: URL(filePath: folder.file(name)))
        #expect(Int64(data.count) == result.size && result.frames == 75)
        #expect((112_000...120_000).contains(result.size), "\(result)")
        #expect(data.range(of: Data(mark.utf8)) != nil || mark.isEmpty)
        let fractions = seen.withLock { $0 }.compactMap(\.fraction)
        #expect(fractions == fractions.sorted())
        #expect(folder.contents == [name, "uneven.mkv"].sorted())
    }

    @Test(arguments: ["out.mp4", "out.mkv"], ["voice.wav", "voice.m4a"])
    func `audio of other files counts, whether it is encoded or copied`(name: String, voice: String) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=3:a=0.3:seed=1", "-b:a", "128k",
                folder.file(voice),
            ])
        var settings = ExportSettings(preset: "h264")
        (settings.targetSize, settings.verification) = (180_000, .full)
        settings.addedAudio = [AddedAudio(folder.file(voice)) { FilePath($0) }]
        let result = try await ExportSession(input: try await makeClip(), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
        #expect((168_000...180_000).contains(result.size), "\(result)")
        let data = try Data(contentsOf: URL(filePath: folder.file(name)))
        #expect(Int64(data.count) == result.size && result.frames == 75)
        let report = try await FFProbe.inspect(folder.file(name))
        #expect(report.streams.count { $0.codecType == "audio" } == 2)
        for track in 0..<2 {
            let audio = try await Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-i", folder.file(name), "-map", "0:a:\(track)", "-ac", "1", "-ar",
                    "48000", "-f",
                    "s16le", "-",
                ])
            #expect(abs(audio.output.count / 2 - 144_000) < 2100, "track \(track): \(audio.output.count / 2)")
        }
        #expect(result.notes.filter { $0.contains("is added as audio") }.count == 1, "\(result.notes)")
        #expect(folder.contents == [name, "uneven.mkv", voice].sorted())
    }

    /// x265enc takes less than x264enc does.
    @Test func `a size that the encoder cannot fill is told, in units`() async throws {
        var settings = ExportSettings(preset: "hevc-fast")
        settings.targetSize = 1_000_000_000
        settings.range = TimeRange(end: .second / 2)
        let result = try await ExportSession(input: try await makeClip(), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        let tables = try EncoderTables(PipelineFiles.find())
        #expect(tables.largestRate(of: .hevc)?.bits == 102_400_000 && tables.largestRate(of: .h264) == nil)
        #expect(result.notes.contains { $0.hasSuffix("B is as close as the encoder gets to 1.00 GB.") }, "\(result)")
        #expect(folder.contents == ["out.mp4", "uneven.mkv"])
    }

    @Test func `a part at another rate has the same frames in both passes`() async throws {
        var settings = ExportSettings(preset: "h264")
        settings.targetSize = 60_000
        settings.range = TimeRange(start: .second / 2, end: .second * 5 / 2)
        settings.rate = Fraction(30)
        let result = try await ExportSession(input: try await makeClip(), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("part.mov"))))
        #expect(result.frames == 60 && result.size <= 60_000, "\(result)")
        let data = try Data(contentsOf: URL(filePath: folder.file("part.mov")))
        #expect(data.range(of: Data("rc=2pass".utf8)) != nil)
    }

    @Test func `an encoder without passes is corrected by what it missed`() async throws {
        var settings = ExportSettings(preset: "av1")
        settings.targetSize = 60_000
        settings.range = TimeRange(end: .second)
        let result = try await ExportSession(input: try await makeClip(), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        #expect(result.frames == 25)
        #expect(result.size <= 60_000 || result.notes.contains { $0.contains("as close as") }, "\(result)")
        #expect(folder.contents == ["out.mp4", "uneven.mkv"])
    }

    @Test func `audio that is copied takes what it has, and not what an encoder would give it`() async throws {
        let movie = try await MadeMovie("surround.mp4", "-c:v libx264 -preset ultrafast -ac 6 -c:a aac -b:a 96k")
        var settings = ExportSettings(preset: "h264")
        settings.targetSize = 120_000
        let result = try await movie.export(settings, to: "out.mp4")
        #expect(result.size <= 120_000 && result.frames == 75, "\(result)")
        #expect(result.notes.contains { $0.contains("AAC is copied") }, "\(result.notes)")
    }

    @Test(arguments: ["out.mp4", "out.mkv"]) func `subtitles count`(name: String) async throws {
        let clip = try await makeClip()
        let texts = (0..<25).map { index in
            let text = String(repeating: "Grüße \(index) ", count: 60)
            return
                "\(index + 1)\n00:00:0\(index / 10),\(index % 10)00 --> 00:00:0\(index / 10),\(index % 10)80\n\(text)\n\n"
        }
        try Data(texts.joined().utf8).write(to: URL(filePath: folder.file("texts.srt")))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", clip.string, "-i", folder.file("texts.srt")]
                + ["-map", "0", "-map", "1", "-c", "copy", "-c:s", "srt", folder.file("in.mkv")])
        var settings = ExportSettings(preset: "h264")
        settings.targetSize = 120_000
        let path = folder.file(name)
        let result = try await ExportSession(input: FilePath(folder.file("in.mkv")), settings: settings)
            .export(to: MovieDestination(FilePath(path)))
        #expect((112_000...120_000).contains(result.size), "\(result)")
        #expect(try Int64(Data(contentsOf: URL(filePath: path)).count) == result.size)
        let found = try await Tool.succeed(
            "ffprobe", ["-v", "error", "-select_streams", "s", "-show_entries", "packet=pts", "-of", "csv=p=0", path])
        #expect(found.text.split(whereSeparator: \.isNewline).count >= 25)
    }

    @Test func `an export that fails leaves no statistics`() async throws {
        let input = try await makeClip()
        var settings = ExportSettings(preset: "h264")
        settings.targetSize = 100_000
        settings.range = TimeRange(start: 60 * .second)
        await #expect(throws: (any Error).self) {
            _ = try await ExportSession(input: input, settings: settings)
                .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        }
        #expect(folder.contents == ["uneven.mkv"])
    }

    @Test func `audio of Matroska takes what its channels do, and leaves the rest to the frames`() async throws {
        var settings = ExportSettings(preset: "h264")
        // A stereo track of AAC would take all but a thirtieth of it.
        settings.targetSize = 75_000
        let result = try await ExportSession(input: try await makeClip(), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        #expect((55_000...75_000).contains(result.size), "\(result)")
    }
}

@Suite struct PassStatisticsTests {
    @Test func `what a killed export left is taken away by the next one, what a running one has is not`() throws {
        let folder = try TemporaryFolder()
        let place = FilePath(folder.file("it's: \"odd\""))
        try FileManager.default.createDirectory(atPath: place.string, withIntermediateDirectories: false)
        let left = place.string + "/.rushes-passes-dead"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
        try Data("x".utf8).write(to: URL(filePath: left + "/statistics.cutree.temp"))
        let running = try PassStatistics(in: place)
        #expect(!running.isWritten && !running.location.contains(":"))
        try Data("x".utf8).write(to: URL(filePath: running.location))
        let other = try PassStatistics(in: place)
        #expect(running.isWritten && !other.isWritten)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.string).count == 2)
        running.remove()
        other.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.string) == [])
    }

    @Test func `a folder that takes nothing is named`() throws {
        #expect(throws: RushesError.self) { try PassStatistics(in: "/proc/self") }
    }
}

@Suite struct SizeRoundTests {
    @Test func `two passes share the progress by their cost, a correction has none of it left`() {
        var round = SizeTargetPass(statistics: "/s")
        #expect(round.pass == .first(statistics: "/s"))
        #expect(round.share(isFirstPass: true, 0.25) == 0..<0.25)
        (round.number, round.isLearned) = (2, true)
        #expect(round.pass == .second(statistics: "/s"))
        #expect(round.share(isFirstPass: false, 0.25) == 0.25..<1)
        round.number = 3
        #expect(round.pass == .second(statistics: "/s") && round.share(isFirstPass: false, 0.25).isEmpty)
    }

    @Test func `an encoder of one pass has half of the progress for each of two files`() {
        var round = SizeTargetPass(statistics: "/s")
        #expect(round.share(isFirstPass: false, 0.25) == 0..<0.5)
        round.number = 2
        #expect(round.pass == nil && round.share(isFirstPass: false, 0.25) == 0.5..<1)
    }
}
