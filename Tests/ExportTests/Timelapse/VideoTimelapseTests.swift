import Encoding
import Errors
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// Timelapses of videos whose frames show their numbers, judged by ffmpeg and ffprobe.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct VideoTimelapseTests {
    struct Input: Sendable, CustomTestStringConvertible {
        var name: String
        var options: String
        var testDescription: String { "\(name) \(options)" }
    }

    /// A key frame every ten frames.
    static let inputs = [
        Input(name: "closed.mp4", options: "-c:v libx264 -g 10 -bf 3 -sc_threshold 0 -c:a aac"),
        Input(name: "closed.mkv", options: "-c:v libx264 -g 10 -bf 3 -sc_threshold 0 -an"),
        Input(
            name: "fragments.mp4",
            options: "-c:v libx264 -g 10 -bf 2 -sc_threshold 0 -c:a aac -movflags frag_keyframe+empty_moov"),
        Input(
            name: "open-hevc.mov",
            options: "-c:v libx265 -x265-params keyint=10:min-keyint=10:open-gop=1:bframes=4:scenecut=0:log-level=none "
                + "-tag:v hvc1 -c:a pcm_s16le"),
        Input(
            name: "hevc.mkv",
            options: "-c:v libx265 -x265-params keyint=10:min-keyint=10:open-gop=0:scenecut=0:log-level=none -c:a flac"),
        Input(name: "vp9.webm", options: "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 10 -b:v 1M -c:a libopus"),
        Input(name: "av1.mp4", options: "-c:v libsvtav1 -preset 12 -g 10 -an"),
    ]

    private func make(
        _ input: Input, _ pace: Timelapse.Pace, rate: Int = 25, isExact: Bool = false, to name: String = "out.mp4"
    ) async throws -> (movie: MadeMovie, result: ExportResult) {
        let movie = try await MadeMovie(input.name, input.options, seconds: 8)
        return (movie, try await make(movie, pace, rate: rate, isExact: isExact, to: name))
    }

    private func make(
        _ movie: MadeMovie, _ pace: Timelapse.Pace, rate: Int = 25, isExact: Bool = false, to name: String
    ) async throws -> ExportResult {
        var timelapse = Timelapse(ofVideo: FilePath(movie.path), pace)
        (timelapse.rate, timelapse.isExact) = (Fraction(rate), isExact)
        return try await ExportSession(timelapse, settings: ExportSettings(preset: "h264"), center: nil)
            .export(to: MovieDestination(FilePath(movie.folder.file(name))))
    }

    @Test("key frames alone are decoded where there is one for each moment", arguments: inputs)
    func keyFrames(_ input: Input) async throws {
        let (movie, result) = try await make(input, .speed(10))
        #expect(try await movie.frames(of: "out.mp4") == Array(stride(from: 0, to: 200, by: 10)))
        #expect(result.notes.contains("20 of 200 frames were decoded, key frames alone."), "\(result.notes)")
        let probe = try await FFProbe.inspect(movie.folder.file("out.mp4"))
        #expect(probe.audio.isEmpty && probe.video.first?.avgFrameRate == "25/1")
        #expect(result.frames == 20 && result.duration == 800 * .millisecond)
    }

    @Test("other moments are decoded from their key frame on", arguments: inputs)
    func sparse(_ input: Input) async throws {
        // Every seventh.
        let (movie, result) = try await make(input, .speed(7), isExact: true)
        #expect(try await movie.frames(of: "out.mp4") == Array(stride(from: 0, to: 200, by: 7)))
        #expect(result.frames == 29)
    }

    /// Also of containers that no index is read of.
    static let others = [
        inputs[0], Input(name: "prores.mov", options: "-c:v prores_ks -profile:v 0 -c:a pcm_s16le"),
        Input(name: "jpeg.mov", options: "-c:v mjpeg -q:v 3 -an"),
        Input(name: "transport.ts", options: "-c:v libx264 -g 10 -bf 2 -c:a aac"),
        Input(name: "program.mpg", options: "-c:v mpeg2video -q:v 2 -g 10 -bf 0 -c:a mp2"),
        Input(name: "later.flv", options: "-c:v libx264 -g 10 -bf 2 -c:a aac -output_ts_offset 5"),
        Input(name: "jpeg.avi", options: "-c:v mjpeg -q:v 3 -c:a pcm_s16le"),
        Input(name: "open.mp4", options: "-c:v libx264 -x264-params open-gop=1:keyint=10:scenecut=0:bframes=3 -an"),
        // Frames that differ in nothing from the one before.
        Input(name: "repeats.mov", options: "-vf fps=5,fps=25 -pix_fmt rgb24 -c:v qtrle -an"),
        Input(name: "one-group.mp4", options: "-c:v libx264 -g 1000 -bf 3 -an"),
    ]

    @Test("exactly are ffmpeg's frames", arguments: Cases.taken(of: others), [(3.0, 25), (12.5, 30), (2, 10)])
    func exact(_ input: Input, _ speed: (Double, Int)) async throws {
        let (movie, _) = try await make(input, .speed(speed.0), rate: speed.1, isExact: true)
        let step = speed.0 / Double(speed.1)
        let wanted = movie.folder.file("wanted.mkv")
        // The small number makes up for times that containers round.
        let selection = "setpts=PTS-STARTPTS,select='gte(t+0.0011,selected_n*\(step))'"
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", movie.path, "-an", "-vf", selection, "-fps_mode", "passthrough"]
                + ["-c:v", "ffv1", wanted])
        let numbers = try await movie.frames(of: "out.mp4")
        #expect(numbers == (try await movie.frames(of: "wanted.mkv")))
        // Evenly from zero on, wherever the source's own times begin.
        let times = try await FFProbe.frames("v:0", of: movie.folder.file("out.mp4")).compactMap { $0.ptsTime?.value }
        #expect(times.count == numbers.count)
        for (number, time) in times.enumerated() { #expect(abs(time - Double(number) / Double(speed.1)) < 0.0005) }
    }

    /// A broadcast's frames, each a mean of several.
    @Test func `an open shutter sees the frames of a transport stream at their times`() async throws {
        let movie = try await MadeMovie("transport.ts", "-c:v libx264 -g 10 -bf 2 -c:a aac", seconds: 4)
        var timelapse = Timelapse(ofVideo: FilePath(movie.path), .speed(4))
        (timelapse.rate, timelapse.look.blend) = (Fraction(25), .shutter(degrees: 180))
        _ = try await ExportSession(timelapse, settings: ExportSettings(preset: "h264"), center: nil)
            .export(to: MovieDestination(FilePath(movie.folder.file("out.mp4"))))
        let times = try await FFProbe.frames("v:0", of: movie.folder.file("out.mp4")).compactMap { $0.ptsTime?.value }
        #expect(times.count == 25)
        for (number, time) in times.enumerated() { #expect(abs(time - Double(number) / 25) < 0.0005) }
    }

    /// A frame a second, and a screen that stands still for six seconds.
    static let sparseSources = [
        (Input(name: "slow.mp4", options: "-c:v libx264 -g 10 -bf 3 -an"), 1, 60.0, 10.0),
        (
            Input(
                name: "still.mp4",
                options: "-vf select=lt(n\\,25)+gt(n\\,174) -fps_mode vfr -c:v libx264 -g 10 -bf 3 -sc_threshold 0 -an"),
            25, 8, 4
        ),
    ]

    @Test(
        "a source with fewer frames than the timelapse has moments keeps its end", arguments: sparseSources,
        [false, true])
    func fewFrames(_ source: (input: Input, rate: Int, seconds: Double, speed: Double), isExact: Bool) async throws {
        let movie = try await MadeMovie(
            source.input.name, source.input.options, seconds: source.seconds, rate: source.rate)
        let result = try await make(movie, .speed(source.speed), isExact: isExact, to: "out.mp4")
        #expect(!result.notes.contains { $0.contains("could not be decoded") }, "\(result.notes)")
        let frames = try await FFProbe.frames("v:0", of: movie.folder.file("out.mp4"))
        let times = frames.compactMap { $0.ptsTime?.value }
        let last = try #require(times.max())
        let length = source.seconds / source.speed
        #expect((length - 0.2...length).contains(last), "\(last)")
        let numbers = try await movie.frames(of: "out.mp4")
        #expect(numbers.first == 0 && (numbers.last ?? 0) >= Int(source.seconds) * source.rate - 5, "\(numbers)")
        if source.rate == 1 { #expect(numbers == Array(0..<60)) }
    }

    @Test("a length makes the speed")
    func length() async throws {
        let (_, result) = try await make(Self.inputs[0], .length(.second))
        #expect(result.frames == 25 && result.duration == .second)
    }

    @Test("players rotate it as its source, and its colors are the same")
    func looks() async throws {
        let movie = try await MadeMovie(
            "plain.mp4", Self.inputs[0].options + " -colorspace bt709 -color_primaries bt709 -color_trc bt709",
            seconds: 2)
        try MovieEditing.setOrientation(MovieOrientation(rotation: .quarter), ofMovieAt: FilePath(movie.path))
        let timelapse = Timelapse(ofVideo: FilePath(movie.path), .speed(10))
        _ = try await ExportSession(timelapse, settings: ExportSettings(preset: "hevc"), center: nil)
            .export(to: MovieDestination(FilePath(movie.folder.file("out.mov"))))
        let frame = try await FFProbe.inspect(movie.folder.file("out.mov")).video.first
        #expect(frame?.displayMatrixRotation == -90 && frame?.colorSpace == "bt709")
    }

    @Test(
        "what leaves nothing is refused, and nothing is written",
        arguments: [Timelapse.Pace.speed(1000), .length(9 * .second)])
    func refused(_ pace: Timelapse.Pace) async throws {
        let movie = try await MadeMovie("closed.mp4", Self.inputs[0].options, seconds: 8)
        let error = await #expect(throws: RushesError.self) { try await make(movie, pace, to: "out.mp4") }
        #expect(error?.code == .invalidSettings && error?.description.contains("lasts 8 s") == true, "\(error as Any)")
        #expect(!FileManager.default.fileExists(atPath: movie.folder.file("out.mp4")))
    }
}
