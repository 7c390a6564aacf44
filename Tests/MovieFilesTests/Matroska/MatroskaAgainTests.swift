import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("A copy of Matroska as Matroska")
struct MatroskaAgainTests {
    @Test(
        "holds the same packets, at times that are rounded alike",
        arguments: Cases.taken(
            of: [MatroskaInput.reordered, .deep, .web, .audioTracks, .onlyAudio, .variable, .live], most: 4))
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

    @Test("says what each track is for") func purposes() async throws {
        let original = try await MatroskaInput(
            description: "commentary",
            options: "-map 0:v -map 1:a -map 1:a -c:v libx264 -c:a aac -disposition:a:1 comment+visual_impaired"
        ).url()
        let (url, _) = try MatroskaCopyTests.copied(original)
        let told = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "a", "-show_entries", "stream_disposition=comment,visual_impaired",
                "-of", "csv=p=0", url.path,
            ]
        ).text.split(separator: "\n").map(String.init)
        #expect(told == ["0,0", "1,1"])
    }

    @Test("keeps ProRes, which no movie holds like that")
    func proRes() async throws {
        let original = try await MatroskaInput(description: "ProRes", options: "-map 0:v -c:v prores_ks").url()
        let (url, copy) = try MatroskaCopyTests.copied(original)
        #expect(copy.frameCount == 60 && copy.omissions.isEmpty)
        let (mine, theirs) = await (try await Judge.allPackets(url), try Judge.allPackets(original))
        #expect(mine[0].map(\.data_hash) == theirs[0].map(\.data_hash))
        try await Judge.opensWithoutAWord(url)
        let profiles = try [url, original].map { url in
            try MovieInfo(readingMatroska: FilePath(url.path))?.video.first?.profile
        }
        #expect(profiles[0] != nil && profiles[0] == profiles[1])
        // And what was made of a movie.
        let movie = try await CopyInput(description: "ProRes", ending: "mov", options: "-map 0:v -c:v prores_ks").url()
        let (first, _) = try MatroskaCopyTests.copied(movie)
        let (second, _) = try MatroskaCopyTests.copied(first)
        try await Judge.expectSamePackets(first, second)
        try await Judge.decodesWithoutAWord(second)
        #expect(throws: RushesError.self) { try MovieCopy.copied(second, .init(fileType: .mov)) }
    }

    @Test("tells what the original does of itself and its tracks")
    func attributes() async throws {
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
        #expect(!copy.isOriginalWhole && (0.5..<1.9).contains(copy.duration.seconds))
        try await Judge.decodesWithoutAWord(url)
    }

    @Test("keeps subtitles to the byte, with all that is said of them", arguments: [MatroskaInput.text, .styled])
    func subtitles(_ input: MatroskaInput) async throws {
        let original = try await input.url()
        let (url, copy) = try MatroskaCopyTests.copied(original)
        #expect(copy.omittedTracks.isEmpty && copy.omissions.isEmpty)
        let (mine, theirs) = await (try await Judge.allPackets(url), try Judge.allPackets(original))
        #expect(mine.map { $0[0].codec_type } == theirs.map { $0[0].codec_type } && mine.count == 3)
        for (stream, other) in zip(mine, theirs) { #expect(stream.map(\.data_hash) == other.map(\.data_hash)) }
        let (texts, expected) = await (try await Self.texts(url), try Self.texts(original))
        #expect(texts == expected && texts.contains("Hello"), "\(texts)")
        try await Judge.opensWithoutAWord(url)
    }

    /// What ffmpeg makes of them, and of their track.
    private static func texts(_ url: URL) async throws -> String {
        let texts = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", url.path, "-map", "0:s", "-f", "srt", "-"])
        let track = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "s", "-show_entries",
                "stream=codec_name,extradata_size:stream_tags=language",
                "-of", "csv=p=0", url.path,
            ])
        return texts.text + track.text
    }
}
