import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("A copy of a Matroska file")
struct MatroskaMovieTests {
    @Test("holds the same packets, and plays the same", arguments: Cases.taken(of: MatroskaInput.copied))
    func sameMovie(_ input: MatroskaInput) async throws {
        let original = try await input.url()
        let (url, copy) = try MovieCopy.copied(original, .init(fileType: .mp4))
        #expect(copy.omittedTracks.isEmpty && copy.isOriginalWhole)
        #expect(try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? UInt64 == copy.fileSize)
        let reference = Scratch.directory.unique("mp4")
        try await Tool.shell("ffmpeg -nostdin -v error -i \(original.path) -map 0 -c copy -strict -2 \(reference.path)")
        // Theirs are rounded, mine are what was rounded.
        try await expectSamePackets(url, as: reference)
        try await Judge.opensWithoutAWord(url, asDoes: url)
        #expect(try await checksums(url) == checksums(original))
        if try await Judge.ffprobe(url).audio != nil { #expect(try await Judge.audio(url) == Judge.audio(reference)) }
        let info = try MovieInfo(contentsOf: FilePath(url.path))
        #expect(info.complete && !info.fragmented && abs((info.duration - copy.duration).seconds) < 0.001)
    }

    private func checksums(_ url: URL) async throws -> [Substring] {
        guard try await Judge.ffprobe(url).video != nil else { return [] }
        return try await Judge.shownFrames(url).map(\.checksum)
    }

    /// Times of the first packets may differ as a whole: ffmpeg (5.1) adds the delay of Opus to the frames' twice.
    private func expectSamePackets(_ url: URL, as other: URL) async throws {
        let (streams, others) = await (try await playable(url), try playable(other))
        #expect(streams.count == others.count)
        let first = zip(streams, others).map { $0[0].presentation - $1[0].presentation }.first ?? 0
        for (stream, other) in zip(streams, others) {
            #expect(stream.map(\.data_hash) == other.map(\.data_hash))
            #expect(stream.map { $0.flags.first } == other.map { $0.flags.first })
            let distances = zip(stream, other).map { abs($0.presentation - $1.presentation - first) }
            #expect(distances.allSatisfy { $0 < 0.0021 }, "up to \(distances.max() ?? .nan) s apart")
            #expect(stream.allSatisfy { !($0.decoding > $0.presentation) })
        }
    }

    private func playable(_ url: URL) async throws -> [[Judge.Packet]] {
        try await Judge.allPackets(url).filter { ["video", "audio"].contains($0[0].codec_type) }
    }

    @Test(
        "has the times that were rounded to milliseconds",
        arguments: [(.reordered, 30_000 / 1001), (.deep, 24_000 / 1001), (.modern, 60)] as [(MatroskaInput, Double)])
    func exactTimes(_ input: MatroskaInput, _ rate: Double) async throws {
        let (url, _) = try await MovieCopy.copied(try input.url(), .init(fileType: .mp4))
        let frames = try await #require(try Judge.allPackets(url).first).map(\.presentation).sorted()
        let distances = zip(frames, frames.dropFirst()).map { abs($1 - $0 - 1 / rate) }
        #expect(distances.allSatisfy { $0 < 0.000002 }, "up to \(distances.max() ?? .nan) s off")
    }

    @Test("may be QuickTime as well", arguments: [MatroskaInput.reordered, .wide])
    func quickTime(_ input: MatroskaInput) async throws {
        let original = try await input.url()
        let (url, _) = try MovieCopy.copied(original, .init(fileType: .mov, putsIndexFirst: true))
        try await expectSamePackets(url, as: MovieCopy.copied(original, .init(fileType: .mp4)).url)
        try await Judge.opensWithoutAWord(url, asDoes: url)
        #expect(try MovieInfo(contentsOf: FilePath(url.path)).container == "mov")
    }

    @Test("keeps colours and the shape of pixels")
    func colours() async throws {
        let (url, _) = try await MovieCopy.copied(try MatroskaInput.wide.url(), .init(fileType: .mp4))
        let info = try #require(try MovieInfo(contentsOf: FilePath(url.path)).video.first)
        #expect(info.displayWidth == 240 && info.displayHeight == 120 && info.width == 160)
        #expect(info.colorPrimaries == "bt709" && info.transfer == "bt709" && info.matrix == "bt709")
        #expect(info.range == "full")
        let (deep, _) = try await MovieCopy.copied(try MatroskaInput.deep.url(), .init(fileType: .mp4))
        #expect(try await Judge.mediainfo(deep, "Video", "MaxCLL").hasPrefix("1000"))
        #expect(try await Judge.mediainfo(deep, "Video", "MasteringDisplay_Luminance").contains("1000"))
        #expect(try await Judge.mediainfo(deep, "Video", "CodecID") == "hvc1")
    }

    @Test("keeps title, place, date, chapters, languages and which audio is played")
    func attributes() async throws {
        let (url, _) = try await MovieCopy.copied(try MatroskaInput.told.url(), .init(fileType: .mp4))
        let info = try MovieInfo(contentsOf: FilePath(url.path))
        #expect(info.title == "My title" && info.comment == "What it shows")
        #expect(info.location == "+48.8577+002.2950/")
        #expect(info.creationDate == "2026-11-21T13:03:22Z")
        #expect(info.chapters.map(\.title) == ["One", "Zwei"])
        #expect(abs(info.chapters[1].start.seconds - 0.9) < 0.002)
        let languages = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "a", "-show_entries",
                "stream_tags=language,handler_name:stream_disposition=default", "-of", "csv=p=0", url.path,
            ]
        ).text.split(separator: "\n")
        #expect(languages == ["0,deu", "1,fra,Deux"])
    }

    @Test("keeps subtitles, as timed text", arguments: MovieFileType.allCases, [false, true])
    func subtitles(_ type: MovieFileType, _ putsIndexFirst: Bool) async throws {
        let original = try await MatroskaInput.text.url()
        let (url, copy) = try MovieCopy.copied(original, .init(fileType: type, putsIndexFirst: putsIndexFirst))
        #expect(try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? UInt64 == copy.fileSize)
        try await Judge.opensWithoutAWord(url, asDoes: url)
        let told = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "s", "-show_entries", "stream=codec_name:stream_tags=language",
                "-of", "csv=p=0", url.path,
            ]
        ).text
        #expect(told == "mov_text,swe\n")
        let (texts, expected) = await (try await Self.texts(url), try Self.texts(original))
        #expect(texts == expected && texts.contains("Wörld, 1 < 2") && texts.contains("and more"))
    }

    /// Subtitles with their times, as ffmpeg reads them, without what it says of their looks.
    private static func texts(_ url: URL) async throws -> String {
        try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error", "-i", url.path, "-map", "0:s", "-f", "srt", "-"])
            .text
            .replacing(#/<[a-z/][^>]*>/#, with: "")
    }

    @Test("of a file that is cut off holds what is whole, and says so", arguments: [MatroskaInput.live, .reordered])
    func cut(_ input: MatroskaInput) async throws {
        let data = try await Data(contentsOf: try input.url())
        for size in [data.count * 2 / 3, data.count * 2 / 3 + 501] {
            let cut = Scratch.directory.unique("mkv")
            try data.prefix(size).write(to: cut)
            let (url, copy) = try MovieCopy.copied(cut, .init(fileType: .mp4))
            #expect((0.5..<1.9).contains(copy.duration.seconds))
            #expect(!copy.isOriginalWhole)
            try await Judge.decodesWithoutAWord(url)
        }
    }

    @Test("shows exactly a part")
    func part() async throws {
        let original = try await MatroskaInput.reordered.url()
        let (url, copy) = try MovieCopy.copied(original, .init(fileType: .mp4, timeRange: .seconds(0.9, 1.5)))
        #expect(abs(copy.duration.seconds - 0.6) < 0.05)
        try await Judge.decodesWithoutAWord(url)
    }

    @Test(
        "is refused where frames are not in the file as a movie holds them",
        arguments: [MatroskaInput.pcm, .transparent])
    func refusal(_ input: MatroskaInput) async throws {
        let original = try await input.url()
        let error = #expect(throws: RushesError.self) { try MovieCopy.copied(original, .init(fileType: .mp4)) }
        guard case .unsupported? = error?.underlying as? MovieFileError else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("of damaged bytes ends in an error or a movie, and in no crash")
    func damage() async throws {
        let data = try await Data(contentsOf: try MatroskaInput.audioTracks.url())
        var generator = SeededGenerator(state: 9559)
        for _ in 0..<200 {
            var bytes = [UInt8](data)
            // Among the descriptions and the first blocks, where a byte means most.
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<2000, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let url = Scratch.directory.unique("mkv")
            try Data(bytes).write(to: url)
            defer { try? FileManager.default.removeItem(at: url) }
            guard let made = try? MovieCopy.copied(url, .init(fileType: .mp4)) else { continue }
            _ = try? MovieInfo(contentsOf: FilePath(made.url.path))
            try? FileManager.default.removeItem(at: made.url)
        }
    }

    @Test("of numbers that no file has ends likewise")
    func numbers() throws {
        var file = EBMLWriter()
        file.master(.ebml) { $0.text(.docType, "matroska") }
        file.master(.segment) { segment in
            // A time that is right in milliseconds, and beyond all numbers in seconds.
            segment.master(.cluster) { $0.unsigned(.timestamp, 1 << 40) }
            segment.master(.info) { $0.unsigned(.timestampScale, 1_000_000_000) }
            segment.master(.tracks) { tracks in
                tracks.master(.trackEntry) { track in
                    track.unsigned(.trackNumber, 1)
                    track.unsigned(.trackType, 2)
                    track.text(.codecID, "A_MPEG/L3")
                    track.unsigned(.codecDelay, .max)
                    track.master(.audio) { $0.unsigned(.channels, .max) }
                }
            }
            for _ in 0..<3 { segment.data(.simpleBlock, [0x81, 0x7F, 0xFF, 0x80, 0xFF, 0xFB, 0x90, 0x64, 0, 0, 0, 0]) }
        }
        let url = Scratch.directory.unique("mkv")
        try Data(file.bytes).write(to: url)
        _ = try? MovieCopy.copied(url, .init(fileType: .mp4))
    }
}
