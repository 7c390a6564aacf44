import EditProjects
import Encoding
import Errors
import Foundation
import GStreamer
import Imaging
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing
@testable import Composition
@testable import Export

/// Movies whose demuxers begin to count somewhere else than at zero.
extension ComposeTests {
    struct Begins: Sendable, CustomTestStringConvertible {
        var main: String
        var inset: String
        var testDescription: String { "\(main) \(inset)" }
    }

    /// The packets of all but MOV begin at another time than zero.
    static let begins = [
        Begins(main: "main.mov", inset: "inset.ts"), Begins(main: "main.ts", inset: "inset.mov"),
        Begins(main: "main.mpg", inset: "opus.ts"), Begins(main: "main.flv", inset: "inset.mpg"),
    ]

    private static func options(_ name: String) -> String {
        switch name {
        case "opus.ts": "-c:v libx264 -preset ultrafast -c:a libopus -output_ts_offset 3"
        case let name where name.hasSuffix("mpg"): "-c:v mpeg2video -q:v 2 -bf 0 -c:a mp2 -b:a 192k"
        case let name where name.hasSuffix("flv"): "-c:v libx264 -preset ultrafast -c:a aac -output_ts_offset 5"
        case let name where name.hasSuffix("ts"): "-c:v libx264 -preset ultrafast -bf 2 -c:a aac"
        default: "-c:v libx264 -preset ultrafast -c:a aac"
        }
    }

    /// By how many seconds the frames begin behind all else.
    private static func lateness(_ movie: MadeMovie) async throws -> Double {
        let probe = try await FFProbe.inspect(movie.path)
        return (probe.video.first?.startTime?.value ?? 0) - (probe.format.startTime?.value ?? 0)
    }

    @Test(arguments: begins) func `times count from each movie's own beginning`(_ begins: Begins) async throws {
        let main = try await MadeMovie(begins.main, Self.options(begins.main))
        let inset = try await MadeMovie(begins.inset, Self.options(begins.inset), seconds: 4)
        var composition = try composition(main, inset, [(0, "main-only"), (1, "inset-only"), (2, "stacked")])
        composition.alignment = .offset(-400 * .millisecond)
        composition.audio = .movie(1)
        var settings = MadeMovie.settings()
        settings.audio = .codec(.pcm)
        let result = try await compose(composition, settings, in: main, to: "out.mov")
        #expect(!result.notes.contains { $0.contains("there they are shown without it") }, "\(result.notes)")
        // Encoded audio may begin some milliseconds before the frames.
        let (late, insetLate) = (try await Self.lateness(main), try await Self.lateness(inset))
        let times = try await FFProbe.frames("v:0", of: main.folder.file("out.mov")).compactMap { $0.ptsTime?.value }
        for (number, time) in times.enumerated() {
            #expect(abs(time - Double(number) / 25 - late) < 0.002, "\(number): \(time)")
        }
        let insets = (0..<75).map { Int((Double($0) + (late + 0.4 - insetLate) * 25 + 0.05).rounded(.down)) }
        let alone = try await main.frames(of: "out.mov")
        #expect(alone.count == 75 && Array(alone.prefix(50)) == Array(0..<25) + insets[25..<50], "\(alone)")
        let pairs = try await pairs(main, "out.mov").dropFirst(50)
        #expect(pairs.map(\.main) == Array(50..<75) && pairs.map(\.inset) == Array(insets[50...]), "\(pairs)")
        let match = AudioMatch(
            of: try await FFmpeg.audio(of: main.folder.file("out.mov"), start: 1, duration: 1),
            in: try await FFmpeg.audio(of: inset.path))
        #expect(match.correlation > 0.98 && abs(Double(match.offset) / 16000 - 1.4) < 0.03, "\(match)")
        let info = try MovieInfo(contentsOf: FilePath(main.folder.file("out.mov")))
        #expect((info.duration - 3 * .second).length < 60 * .millisecond, "\(info.duration)")
        composition.audio = .mixed
        _ = try await compose(composition, settings, in: main, to: "mixed.mov")
        let mixed = try await FFmpeg.audio(of: main.folder.file("mixed.mov"))
        let (one, other) = (try await FFmpeg.audio(of: main.path), try await FFmpeg.audio(of: inset.path))
        // A container does not tell by how much a decoder's audio begins later than its first packet.
        let matches = stride(from: -480, through: 480, by: 4).map { late in
            let sum = (8000..<16_000).map { one[$0] + other[$0 + 6400 + late] }
            return AudioMatch(of: Array(mixed[9000..<15_000]), in: sum)
        }
        let both = try #require(matches.max { $0.correlation < $1.correlation })
        #expect(both.correlation > 0.95 && abs(both.offset - 1000) < 480, "\(both)")
    }
}
