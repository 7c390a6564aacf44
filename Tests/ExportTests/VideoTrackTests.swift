import Encoding
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// All video tracks of a movie that is copied; judged by ffprobe and ffmpeg's decoder.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct VideoTrackTests {
    private struct Report: Decodable {
        struct Stream: Decodable {
            var codec_type: String
            var nb_read_packets: String?
            var disposition: [String: Int]
            var tags: [String: String]?
            /// "deu close 25", with a star behind the one that is played.
            var words: String {
                let tags = Dictionary(uniqueKeysWithValues: (tags ?? [:]).map { ($0.lowercased(), $1) })
                let language = tags["language"].map { $0 == "ger" ? "deu" : $0 } ?? "und"
                let name = tags["title"] ?? tags["handler_name"] ?? "?"
                return "\(language) \(name) \(nb_read_packets ?? "?")" + (disposition["default"] == 1 ? "*" : "")
            }
        }
        var streams: [Stream]
    }

    /// Two angles of a second, of which the second one is told to be played, and audio.
    private func make(_ name: String) async throws -> MadeMovie {
        try await MadeMovie(
            name,
            "-map 0:v -map 0:v -map 1:a -c:v libx264 -preset ultrafast -g 5 -bf 0 -c:a aac -metadata:s:v:0 language=eng "
                + "-metadata:s:v:1 language=ger -metadata:s:v:0 title=wide -metadata:s:v:1 title=close "
                + "-disposition:v:0 0 -disposition:v:1 default",
            seconds: 1, size: "64x48")
    }

    private func video(_ movie: MadeMovie, _ name: String) async throws -> [String] {
        let path = movie.folder.file(name)
        try await FFmpeg.decode(path)
        let output = try await Tool.succeed(
            "ffprobe", ["-v", "error", "-of", "json", "-show_streams", "-count_packets", path]
        ).output
        let streams = try JSONDecoder().decode(Report.self, from: output).streams
        #expect(streams.count { $0.codec_type == "audio" } == 1)
        return streams.filter { $0.codec_type == "video" }.map(\.words)
    }

    @Test(arguments: ["in.mkv", "in.mp4"]) func `are copied, the one that is played first`(input: String) async throws {
        let movie = try await make(input)
        // ffmpeg (5.1) writes no names of tracks into MP4 that it reads again.
        let isNamed = input == "in.mkv"
        let names = isNamed ? ["close", "wide"] : ["VideoHandler", "VideoHandler"]
        for output in ["out.mp4", "out.mov", "out.mkv"] {
            let result = try await movie.export(ExportSettings(preset: "copy"), to: output)
            #expect(!result.notes.contains { $0.contains("left out") }, "\(output): \(result.notes)")
            let video = try await video(movie, output)
            #expect(video.count == 2, "\(output)")
            #expect(video.first?.hasPrefix("deu ") == true && video.first?.hasSuffix(" 25*") == true, "\(video)")
            #expect(video.last?.hasPrefix("eng ") == true && video.last?.hasSuffix(" 25") == true, "\(video)")
            if isNamed { #expect(video.map { String($0.split(separator: " ")[1]) } == names, "\(output)") }
        }
        var verified = ExportSettings(preset: "copy")
        (verified.verification, verified.range) = (.full, TimeRange(start: MediaTime(seconds: 0.48)))
        for output in ["part.mp4", "part.mkv"] {
            _ = try await movie.export(verified, to: output)
            #expect(try await video(movie, output).count == 2)
            // A key frame comes with every fifth; edits hide what comes before the part, and Matroska has none.
            let frames = try await movie.frames(of: output)
            #expect(frames == Array((output == "part.mkv" ? 10 : 12)..<25), "\(output): \(frames)")
        }
        (verified.range, verified.parts) = (
            nil, [TimeRange(end: MediaTime(seconds: 0.4)), TimeRange(start: MediaTime(seconds: 0.6))]
        )
        let joined = try await movie.export(verified, to: "parts.mp4")
        #expect(joined.frames == 20)
        #expect(try await video(movie, "parts.mp4").count == 2)
        #expect(try await movie.frames(of: "parts.mp4") == Array(0..<10) + Array(15..<25))
    }

    @Test func `stay beside audio that is encoded, and one is left of what is encoded`() async throws {
        let movie = try await make("in.mp4")
        var settings = ExportSettings(preset: "copy")
        settings.audio = .codec(.mp3)
        let copied = try await movie.export(settings, to: "audio.mp4")
        #expect(!copied.notes.contains { $0.contains("left out") }, "\(copied.notes)")
        #expect(try await video(movie, "audio.mp4").count == 2)
        #expect(try await FFProbe.inspect(movie.folder.file("audio.mp4")).audio.first?.codecName == "mp3")
        let encoded = try await movie.export(MadeMovie.settings(), to: "encoded.mp4")
        #expect(encoded.notes.contains("A further video track was left out."), "\(encoded.notes)")
        #expect(try await video(movie, "encoded.mp4").count == 1)
    }
}
