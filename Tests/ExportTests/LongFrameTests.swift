import Encoding
import Export
import Foundation
import GStreamer
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// A frame that is shown for most of a second, as phones and screen recorders store them, where a part begins within it; judged by ffmpeg.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct LongFrameTests {
    /// Frame 19 is shown from 0.76 to 1.5 s; the others 25 a second.
    private func movie(_ options: String = "") async throws -> MadeMovie {
        let time = "if(gt(N\\,19)\\,900+(N-20)*24\\,N*24)"
        return try await MadeMovie(
            "in.mov",
            "-c:v libx264 -preset ultrafast -g 1000 -bf 0 -video_track_timescale 600 -c:a aac "
                + "-bsf:v setts=time_base=1/600:pts=\(time):dts=\(time):duration=24" + options)
    }

    /// Lets the video's edit begin later, in ticks of its media.
    private func trim(_ path: String, to ticks: Int) throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        func word(_ value: Int) -> Data { Data([24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }) }
        let list = try #require(bytes.range(of: Data("elst".utf8))).lowerBound
        // Behind version, flags and count: how long it is shown, in thousandths of a second, and from where on.
        let length = bytes[list + 12..<list + 16].reduce(0) { $0 << 8 | Int($1) }
        bytes.replaceSubrange(list + 12..<list + 20, with: word(length - ticks * 1000 / 600) + word(ticks))
        try bytes.write(to: URL(filePath: path))
    }

    /// When the first frames are shown, in thousandths of a second.
    private func times(_ path: String) async throws -> [Int] {
        try await FFProbe.frames("v:0", of: path).prefix(3).map {
            Int((try #require($0.bestEffortTimestampTime?.value) * 1000).rounded())
        }
    }

    @Test("is shown from an edit's beginning on", arguments: ["h264", "prores-proxy", "gif"])
    func edited(preset: String) async throws {
        let movie = try await movie()
        try trim(movie.path, to: 758)
        var settings = ExportSettings(preset: preset)
        if preset == "h264" { settings.reencodes = true }
        let name = preset == "gif" ? "out.gif" : "out.mov"
        let result = try await movie.export(settings, to: name)
        #expect(result.frames == 56)
        #expect(try await movie.frames(of: name) == Array(19..<75))
        let wanted = preset == "gif" ? [0, 240, 280] : [0, 237, 277]
        let times = try await times(movie.folder.file(name))
        #expect(zip(times, wanted).allSatisfy { abs($0 - $1) <= 1 }, "\(times)")
    }

    @Test("is shown from a part's beginning on")
    func part() async throws {
        let movie = try await movie()
        func export(_ start: Double, _ end: Double?, _ rate: Fraction? = nil) async throws -> [Int] {
            var settings = MadeMovie.settings(
                TimeRange(start: MediaTime(seconds: start), end: end.map { MediaTime(seconds: $0) }))
            settings.rate = rate
            _ = try await movie.export(settings, to: "out.mov")
            return try await movie.frames(of: "out.mov")
        }
        #expect(try await export(1, nil) == Array(19..<75))
        #expect(try await times(movie.folder.file("out.mov")) == [0, 500, 540])
        // Between two frames that are not long, the second one is the first as ever.
        try FileManager.default.removeItem(atPath: movie.folder.file("out.mov"))
        #expect(try await export(0.5, 0.74).first == 13)
        try FileManager.default.removeItem(atPath: movie.folder.file("out.mov"))
        #expect(try await export(0.9, 1.3) == [19])
        let length = try #require(try await FFProbe.inspect(movie.folder.file("out.mov")).format.duration?.value)
        #expect(abs(length - 0.4) < 0.03)
        try FileManager.default.removeItem(atPath: movie.folder.file("out.mov"))
        #expect(try await export(1.3, 1.6, Fraction(10)) == [19, 19, 21])
    }

    @Test("is in each of the parts that it is shown in")
    func parts() async throws {
        let movie = try await movie()
        var settings = MadeMovie.settings()
        settings.parts = [(0, 1000), (1200, 2000)].map { begin, end in
            TimeRange(start: begin * .millisecond, end: end * .millisecond)
        }
        _ = try await movie.export(settings, to: "out.mov")
        #expect(try await movie.frames(of: "out.mov") == Array(0...19) + [19] + Array(20..<33))
    }

    @Test("that is the last one is shown for as long as the index tells", arguments: ["h264", "prores-proxy"])
    func last(preset: String) async throws {
        let movie = try await MadeMovie(
            "short.mov", "-an -c:v libx264 -preset ultrafast -bf 0 -video_track_timescale 600")
        // Only a copy keeps what a frame says of its length.
        let input = movie.folder.file("in.mov")
        try await Fixtures.make(
            input, "ffmpeg",
            ["-nostdin", "-v", "error", "-i", movie.path, "-c", "copy"]
                + ["-video_track_timescale", "600", "-bsf:v", "setts=duration=if(eq(N\\,74)\\,2400\\,24)"])
        func export(_ range: TimeRange? = nil, rate: Fraction? = nil) async throws -> (frames: [Int], seconds: Double) {
            var settings = ExportSettings(preset: preset)
            (settings.range, settings.rate, settings.reencodes) = (range, rate, true)
            let path = movie.folder.file("out.mov")
            _ = try await ExportSession(input: FilePath(input), settings: settings)
                .export(to: MovieDestination(FilePath(path)))
            defer { try? FileManager.default.removeItem(atPath: path) }
            let seconds = try #require(try await FFProbe.inspect(path).video.first?.duration?.value)
            return (try await movie.frames(of: "out.mov"), seconds)
        }
        let whole = try await export()
        #expect(whole.frames == Array(0..<75) && abs(whole.seconds - 6.96) < 0.01, "\(whole)")
        let still = try await export(TimeRange(start: 4 * .second, end: 5 * .second))
        #expect(still.frames == [74] && abs(still.seconds - 1) < 0.01, "\(still)")
        let even = try await export(TimeRange(start: 2 * .second, end: nil), rate: Fraction(10))
        #expect(even.frames.count == 50 && even.frames.last == 74 && abs(even.seconds - 5) < 0.11, "\(even)")
    }
}
