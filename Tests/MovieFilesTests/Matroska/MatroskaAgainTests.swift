import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("A copy of Matroska as Matroska")
struct MatroskaAgainTests {
    @Test(
        "holds the same packets, at times that are rounded alike",
        arguments: [MatroskaInput.reordered, .deep, .web, .sounds, .onlySound, .variable, .live])
    func samePackets(_ input: MatroskaInput) async throws {
        let original = try await input.url()
        let (url, copy) = try MatroskaCopyTests.copied(original, isWebM: input.ending == "webm")
        #expect(copy.omittedTracks.isEmpty && copy.isOriginalWhole)
        let (mine, theirs) = await (try await Judge.allPackets(url), try Judge.allPackets(original))
        #expect(mine.map { $0[0].codec_type } == theirs.map { $0[0].codec_type })
        for (stream, other) in zip(mine, theirs) {
            #expect(stream.map(\.data_hash) == other.map(\.data_hash))
            #expect(stream.map { $0.flags.first } == other.map { $0.flags.first })
            let distances = zip(stream, other).map { abs($0.presentation - $1.presentation) }
            #expect(distances.allSatisfy { $0 < 0.0011 }, "up to \(distances.max() ?? .nan) s apart")
        }
        try await Judge.opensWithoutAWord(url)
    }

    @Test("tells what the original does of itself and its tracks")
    func facts() async throws {
        let (url, _) = try await MatroskaCopyTests.copied(try MatroskaInput.told.url())
        let told = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-show_chapters", "-show_entries",
                "format_tags=title,creation_time,location:stream_tags=language,title:chapter_tags=title", "-of",
                "compact=p=0:nk=1", url.path,
            ]
        ).text
        for text in ["My title", "2026-11-21T13:03:22", "+48.8577+002.2950/", "One", "Zwei", "ger", "fre", "Deux"] {
            #expect(told.contains(text), "\(text) is not in \(told)")
        }
    }

    @Test("of a file that is cut off holds what is whole, and says so")
    func cut() async throws {
        let data = try await Data(contentsOf: try MatroskaInput.live.url())
        let cut = Scratch.directory.unique("mkv")
        try data.prefix(data.count * 2 / 3).write(to: cut)
        let (url, copy) = try MatroskaCopyTests.copied(cut)
        #expect(!copy.isOriginalWhole && (0.5..<1.9).contains(copy.duration))
        try await Judge.decodesWithoutAWord(url)
    }

    @Test("is refused where it has subtitles, whose texts are not samples of a movie")
    func subtitles() async throws {
        let original = try await MatroskaInput.text.url()
        #expect(throws: MovieFileError.self) { try MatroskaCopyTests.copied(original) }
    }
}
