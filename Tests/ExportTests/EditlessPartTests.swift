import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Parts of movies without edit lists, whose first frame is shown later than it is decoded, and than the audio begins.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct EditlessPartTests {
    @Test(arguments: ["out.mp4", "out.mov"]) func `begin as the movie does`(name: String) async throws {
        let movie = try await MadeMovie(
            "in.mp4", "-c:v libx264 -preset veryfast -bf 2 -g 25 -c:a aac -use_editlist 0", seconds: 3)
        var settings = ExportSettings(preset: "copy")
        settings.range = TimeRange(start: .zero, end: MediaTime(seconds: 2))
        _ = try await movie.export(settings, to: name)
        func lead(_ file: String) async throws -> Double {
            let report = try await FFProbe.inspect(file)
            let (video, audio) = (report.video.first?.startTime?.value, report.audio.first?.startTime?.value)
            return try #require(video) - #require(audio)
        }
        let (own, copied) = (try await lead(movie.path), try await lead(movie.folder.file(name)))
        #expect(own > 0.05 && abs(copied - own) < 0.002, "\(own), then \(copied)")
        #expect(try await movie.frames(of: name).first == 0)
    }
}
