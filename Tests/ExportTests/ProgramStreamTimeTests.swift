import Encoding
import Export
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Frames of MPEG-1 and MPEG-2 that have no time of their own in the stream are shown at theirs.
@Suite(.timeLimit(.minutes(3)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct ProgramStreamTimeTests {
    @Test(
        arguments: Cases.taken(
            of: [
                "mpeg2video -bf 2 -f vob", "mpeg1video -bf 2 -f mpeg", "mpeg2video -bf 0 -f vob",
                "mpeg2video -bf 1 -f mpegts",
            ],
            [("copied.mkv", "copy"), ("encoded.mp4", "h264")], most: 4))
    func `frames that share a packet are shown one behind the other`(
        codec: String, output: (name: String, preset: String)
    ) async throws {
        let movie = try await MadeMovie("in.mpg", "-an -c:v \(codec)", seconds: 3)
        // Small frames: several begin in one packet, and the first alone has a time.
        let untimed = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pos", "-of", "csv=p=0", movie.path]
        ).text.split(separator: "\n").count { $0.hasPrefix("N/A") }
        #expect(untimed > 10 || codec.hasSuffix("mpegts"))
        var settings = ExportSettings(preset: output.preset)
        settings.reencodes = output.preset != "copy"
        let result = try await movie.export(settings, to: output.name)
        #expect(try await movie.frames(of: output.name) == Array(0..<75), "\(result.notes)")
        let times = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0"]
                + [movie.folder.file(output.name)]
        ).text.split(separator: "\n").compactMap { Double($0.prefix { $0.isNumber || $0 == "." }) }
        #expect(times.count == 75)
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.0015 }, "\(times)")
    }
}
