import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Ranges whose times count from the movie's end, as ffmpeg's -sseof does; frames carry their numbers.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct RangeFromEndTests {
    /// Four seconds of 25 frames.
    private static func make() async throws -> MadeMovie {
        try await MadeMovie("in.mp4", "-c:v libx264 -preset ultrafast -g 25 -bf 0 -c:a aac", seconds: 4)
    }

    private static let cases: [(start: Double, end: Double?, frames: Range<Int>)] = [
        (-1, nil, 75..<100), (0, -1, 0..<75), (1, -1, 25..<75), (-2, -1, 50..<75), (-3, 2, 25..<50),
        (-60, nil, 0..<100),
    ]

    @Test(arguments: ["h264", "copy"], cases.indices)
    func `times below zero count from the end`(preset: String, index: Int) async throws {
        let (start, end, frames) = Self.cases[index]
        let movie = try await Self.make()
        var settings = ExportSettings(preset: preset)
        settings.range = TimeRange(start: MediaTime(seconds: start), end: end.map { MediaTime(seconds: $0) })
        let result = try await movie.export(settings, to: "out.mp4")
        #expect(try await movie.frames(of: "out.mp4") == Array(frames), "\(result.notes)")
    }

    @Test(arguments: [
        (-1.0, 1.0, "in.mp4 lasts 4.00 s, so nothing is left of it"),
        (3, -2, "in.mp4 lasts 4.00 s, so nothing is left of it"),
        (-1, -2, "ends at"),
    ]) func `what leaves nothing is refused, and no file is made`(start: Double, end: Double, words: String)
        async throws
    {
        let movie = try await Self.make()
        var settings = ExportSettings(preset: "h264")
        settings.range = TimeRange(start: MediaTime(seconds: start), end: MediaTime(seconds: end))
        let error = await #expect(throws: RushesError.self) { try await movie.export(settings, to: "out.mp4") }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        #expect(!FileManager.default.fileExists(atPath: movie.folder.file("out.mp4")))
    }
}
