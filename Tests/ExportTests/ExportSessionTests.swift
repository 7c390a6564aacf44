import Encoding
import Errors
import Export
import Foundation
import GStreamer
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Whole exports of a real clip, judged by ffprobe and ffmpeg.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ExportSessionTests {
    private let folder: TemporaryFolder
    private let clip = Checkout.media("big-buck-bunny.mp4")

    init() throws { folder = try TemporaryFolder() }

    /// A second and a half of the clip, small, with a fast encoder.
    private func settings(_ preset: String = "h264") -> ExportSettings {
        var settings = ExportSettings(preset: preset)
        settings.range = TimeRange(start: .second, end: .second * 5 / 2)
        settings.size = VideoSize(160, 90)
        return settings
    }

    private func export(_ settings: ExportSettings, from input: FilePath? = nil, to name: String) async throws
        -> ExportResult
    {
        try await ExportSession(input: input ?? FilePath(clip), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
    }

    @Test func `a part has exactly its frames and its audio, and only its name is left`() async throws {
        let result = try await export(settings(), to: "part.mp4")
        #expect(result.frames == 36)
        let report = try await FFProbe.inspect(folder.file("part.mp4"))
        #expect(report.video.first?.nbFrames?.value == 36)
        #expect(report.video.first?.codecName == "h264")
        #expect(report.video.first?.width == 160)
        #expect(abs((report.audio.first?.duration?.value ?? 0) - 1.5) < 0.022)
        #expect(folder.contents == ["part.mp4"])
        try await FFmpeg.decode(folder.file("part.mp4"))
    }

    @Test func `exports that replace one file at the same time leave each other's part alone`() async throws {
        try Data("old".utf8).write(to: URL(filePath: folder.file("one.mp4")))
        let (settings, clip) = (settings(), FilePath(clip))
        let destination = MovieDestination(FilePath(folder.file("one.mp4")), replacesExisting: true)
        let frames = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    try await ExportSession(input: clip, settings: settings).export(to: destination).frames
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(frames == [36, 36, 36])
        #expect(folder.contents == ["one.mp4"])
        try await FFmpeg.decode(folder.file("one.mp4"))
    }

    @Test func `Matroska and ProRes take the same part, decoded to its last frame`() async throws {
        var whole = settings("prores-proxy")
        whole.verification = .full
        #expect(try await export(whole, to: "edit.mov").frames == 36)
        whole.preset = "h264"
        whole.audio = .codec(.opus)
        #expect(try await export(whole, to: "part.mkv").frames == 36)
        #expect(try await FFProbe.inspect(folder.file("part.mkv")).audio.first?.codecName == "opus")
    }

    @Test(arguments: ["5.1", "5.1(side)", "quad", "7.1", "6.1"])
    func `PCM of several channels keeps each sample and says which channel is which`(layout: String) async throws {
        let input = folder.file("tones.mkv")
        // Another tone in each channel.
        let tones = (1...8).map { "sin(\($0 * 300)*2*PI*t)/2" }.prefix(
            layout == "quad" ? 4 : layout == "6.1" ? 7 : layout == "7.1" ? 8 : 6)
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=1", "-f", "lavfi", "-i",
                "aevalsrc=\(tones.joined(separator: "|")):c=\(layout):s=48000:d=1", "-c:v", "mjpeg", "-c:a",
                "pcm_s16le", input,
            ])
        let result = try await export(ExportSettings(preset: "prores-proxy"), from: FilePath(input), to: "tones.mov")
        let audio = try #require(try await FFProbe.inspect(folder.file("tones.mov")).audio.first)
        guard layout != "6.1" else {
            #expect(audio.codecName == "aac" && result.notes.contains { $0.contains("no PCM of these 7 channels") })
            return
        }
        #expect(audio.codecName?.hasPrefix("pcm_s") == true && audio.channels == tones.count, "\(result.notes)")
        let names =
            ["5.1(side)": ["5.1", "5.1(side)"], "quad": ["quad", "quad(side)"]][layout] ?? [layout, "5.1(side)"]
        #expect(names.contains(audio.channelLayout ?? ""), "\(audio.channelLayout ?? "")")
        #expect(try await samples(folder.file("tones.mov")) == samples(input))
    }

    private func samples(_ path: String) async throws -> String {
        try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-map", "0:a", "-f", "md5", "-"]).text
    }

    @Test func `what is fit already is copied, and said`() async throws {
        let result = try await export(ExportSettings(preset: "h264"), to: "same.mov")
        #expect(result.frames == 252)
        #expect(result.notes.first?.contains("copied as it is") == true)
        #expect(try await FFProbe.inspect(folder.file("same.mov")).video.first?.nbFrames?.value == 252)
    }

    @Test func `an index in front, and the times of the input`() async throws {
        var settings = ExportSettings(preset: "copy")
        settings.fastStart = true
        _ = try await export(settings, to: "front.mp4")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("front.mp4")))
        let (index, data) = (bytes.range(of: Data("moov".utf8)), bytes.range(of: Data("mdat".utf8)))
        #expect(try #require(index).lowerBound < (try #require(data)).lowerBound)
        let dates = try [clip, folder.file("front.mp4")].map {
            try FileManager.default.attributesOfItem(atPath: $0)[.modificationDate] as? Date
        }
        #expect(dates[0] == dates[1])
    }

    @Test func `a size is not exceeded`() async throws {
        var settings = settings()
        settings.targetSize = 120_000
        settings.channels = 1
        let result = try await export(settings, to: "small.mp4")
        #expect(result.size <= 120_000)
        #expect(result.size > 60_000)
    }

    @Test(arguments: ["quo'te \"and\" !.mp4", "line\nbreak %d.mp4"])
    func `any name will do`(name: String) async throws {
        let input = FilePath(folder.file("in-\(name)"))
        try FileManager.default.copyItem(atPath: clip, toPath: input.string)
        #expect(try await export(settings(), from: input, to: name).frames == 36)
    }

    @Test func `a name that is no text will do`() async throws {
        let bytes: [UInt8] = Array(folder.file("in-").utf8) + [0xFF, 0xFE] + Array(".mp4".utf8)
        let input = bytes.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { buffer in
            FilePath(platformString: Array(buffer) + [0])
        }
        let copy = try FileDescriptor.open(
            input, .writeOnly, options: [.create], permissions: [.ownerReadWrite])
        try copy.closeAfter { _ = try copy.writeAll(Data(contentsOf: URL(fileURLWithPath: clip))) }
        #expect(try await export(settings(), from: input, to: "out.mp4").frames == 36)
    }

    @Test func `what is no movie is refused with a reason, and nothing is left`() async throws {
        let noise = folder.file("noise.mp4")
        try Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }).write(to: URL(fileURLWithPath: noise))
        let empty = folder.file("empty.mp4")
        try Data().write(to: URL(fileURLWithPath: empty))
        let pipe = folder.file("pipe.mp4")
        mkfifo(pipe, 0o600)
        for input in [noise, empty, pipe, folder.path, folder.file("missing.mp4")] {
            let error = await #expect(throws: RushesError.self, "\(input)") {
                try await export(settings(), from: FilePath(input), to: "out.mp4")
            }
            #expect(
                error?.code == .badInput && error?.subject == input, "\(input): \(String(describing: error))")
        }
        #expect(Set(folder.contents) == ["noise.mp4", "empty.mp4", "pipe.mp4"])
    }

    @Test func `a cancelled export leaves nothing`() async throws {
        let session = ExportSession(input: FilePath(clip), settings: ExportSettings(preset: "hevc"))
        let destination = MovieDestination(FilePath(folder.file("never.mp4")))
        let work = Task { try await session.export(to: destination) }
        for await state in session.states(updateInterval: .milliseconds(20)) {
            if case .exporting(let progress) = state, progress.framesWritten > 0 { break }
        }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(folder.contents.isEmpty)
    }

    @Test func `a paused export waits until it is resumed`() async throws {
        let session = ExportSession(input: FilePath(clip), settings: settings())
        session.pause()
        let destination = MovieDestination(FilePath(folder.file("later.mp4")))
        let work = Task { try await session.export(to: destination) }
        var states = session.states(updateInterval: .milliseconds(20)).makeAsyncIterator()
        while let state = await states.next(), state != .waiting {}
        session.resume()
        #expect(try await work.value.frames == 36)
    }

    @Test func `sizes that no encoder takes are refused, odd ones made even`() async throws {
        var settings = settings("hevc")
        settings.size = VideoSize(40, 20)
        let error = await #expect(throws: RushesError.self) { try await export(settings, to: "tiny.mp4") }
        #expect(error?.description.contains("64×64") == true)
        settings.preset = "h264"
        settings.size = nil
        settings.crop = CropArea(x: 10, y: 10, size: VideoSize(161, 91))
        _ = try await export(settings, to: "odd.mp4")
        let frame = try await FFProbe.inspect(folder.file("odd.mp4")).video.first
        #expect(frame?.width == 160 && frame?.height == 90)
    }

    @Test func `the pipeline is a value that can be printed`() async throws {
        let text = try await ExportSession.pipeline(
            input: FilePath(clip), settings: settings(),
            destination: MovieDestination(FilePath(folder.file("never.mp4"))))
        #expect(text.contains("filesrc") && text.contains("x264enc") && text.contains("filesink"))
        #expect(folder.contents.isEmpty)
    }

    @Test func `of a part that is copied the encoder of its beginning is printed too`() async throws {
        let movie = try await MadeMovie("take.mp4", "-c:v libx264 -preset veryfast -g 12 -sc_threshold 0 -c:a aac")
        var settings = ExportSettings(preset: "copy")
        for (end, count) in [(2000, 2), (1400, 1)] {
            settings.range = TimeRange(start: 1240 * .millisecond, end: end * .millisecond)
            let text = try await ExportSession.pipeline(
                input: FilePath(movie.path), settings: settings,
                destination: MovieDestination(FilePath(movie.folder.file("never.mov"))))
            #expect(text.components(separatedBy: "\n\n").count == count && text.contains("x264enc"), "\(text)")
        }
        #expect(movie.folder.contents == ["take.mp4"])
    }
}
