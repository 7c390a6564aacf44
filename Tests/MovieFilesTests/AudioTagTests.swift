import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("Changing what a file of audio alone says of itself")
struct AudioTagTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let ending: String
        let options: [String]
        /// What ffprobe calls a text that nobody knows.
        let other: String
        var testDescription: String { "\(ending) \(options.joined(separator: " "))" }
    }

    static let kinds: [Kind] = [
        Kind(ending: "mp3", options: ["-id3v2_version", "3"], other: "MOOD"),
        Kind(ending: "mp3", options: ["-id3v2_version", "4", "-write_id3v1", "1"], other: "MOOD"),
        Kind(ending: "mp3", options: ["-id3v2_version", "0"], other: ""),
        Kind(ending: "flac", options: [], other: "MOOD"),
        Kind(ending: "opus", options: [], other: "MOOD"),
        Kind(ending: "ogg", options: ["-c:a", "libvorbis"], other: "MOOD"),
        Kind(ending: "wav", options: [], other: ""),
        Kind(ending: "wav", options: ["-rf64", "always", "-c:a", "pcm_s24le", "-write_bext", "1"], other: ""),
    ]

    /// Five seconds that tell a title, an artist, and something that no field is for.
    private func made(_ kind: Kind, in folder: TemporaryFolder) async throws -> FilePath {
        let path = folder.file("take.\(kind.ending)")
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=5:sample_rate=48000",
                "-metadata", "title=Old title", "-metadata", "artist=Ann Lee", "-metadata", "MOOD=calm",
            ] + kind.options + [path])
        if kind.ending == "mp3", kind.other.isEmpty { try append(Self.shortTag, to: path) }
        return FilePath(path)
    }

    /// Of version 1, which lies at the end and has 30 letters for each.
    private static let shortTag: [UInt8] = {
        func field(_ text: String, _ size: Int) -> [UInt8] {
            Array(text.utf8) + [UInt8](repeating: 0, count: size - text.utf8.count)
        }
        return Array("TAG".utf8) + field("Old title", 30) + field("Ann Lee", 30) + field("", 64) + [255]
    }()

    private func append(_ bytes: [UInt8], to path: String) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: bytes)
    }

    private static let change: MovieChange = {
        var metadata = MovieMetadata(title: "Größer", description: "What it is about")
        (metadata.album, metadata.comment) = ("Talks", "A remark")
        metadata.creationDate = MovieDate("2026-11-21T13:03:22Z")
        return MovieChange(
            metadata: metadata,
            chapters: [
                .init(start: .zero, title: "Début"), .init(start: MediaTime(seconds: 1.25), title: "Middle"),
            ])
    }()

    private func tags(_ probe: Judge.Probe) -> [String: String] {
        let all = (probe.format.tags ?? [:]).merging(probe.streams.first?.tags ?? [:]) { own, _ in own }
        return Dictionary(all.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    }

    @Test("changes what others read, keeps the rest, and no packet is another", arguments: kinds)
    func change(_ kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let path = try await made(kind, in: folder)
        let url = URL(filePath: path.string)
        let before = try await Judge.allPackets(url)
        try MovieEditing.apply(Self.change, toMovieAt: path)
        var told = tags(try await Judge.ffprobe(url))
        #expect(told["title"] == "Größer" && told["artist"] == "Ann Lee" && told["album"] == "Talks")
        #expect(told["date"]?.hasPrefix("2026-11-21") == true, "\(told)")
        if !kind.other.isEmpty { #expect(told[kind.other.lowercased()] == "calm", "\(told)") }
        try await expectChapters(["Début", "Middle"], [0, 1.25], kind, path)
        #expect(try await Judge.allPackets(url).map { $0.map(\.data_hash) } == before.map { $0.map(\.data_hash) })
        // Of what it warns, as of channels without a layout, the made file is to blame.
        let words = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-xerror", "-i", path.string, "-f", "null", "-"])
        #expect(words.errors.isEmpty, "\(words)")
        let first = try Data(contentsOf: url).count

        // Again, and what is given as an empty text goes.
        var metadata = MovieMetadata(title: "Plain")
        (metadata.album, metadata.comment) = ("", "")
        try MovieEditing.apply(MovieChange(metadata: metadata, chapters: []), toMovieAt: path)
        told = tags(try await Judge.ffprobe(url))
        #expect(told["title"] == "Plain" && told["artist"] == "Ann Lee" && told["album"] == nil, "\(told)")
        #expect(told["date"]?.hasPrefix("2026-11-21") == true)
        try await expectChapters([], [], kind, path)
        #expect(try await Judge.allPackets(url).map { $0.map(\.data_hash) } == before.map { $0.map(\.data_hash) })
        #expect(try Data(contentsOf: url).count <= first)
    }

    private func expectChapters(
        _ titles: [String], _ times: [Double], _ kind: Kind, _ path: FilePath
    ) async throws {
        if kind.ending == "wav" {
            let places = try WaveCues.read(path)
            #expect(places.map(\.title) == titles && places.map(\.start.seconds) == times)
        } else {
            let chapters = try await Judge.ffprobe(URL(filePath: path.string)).chapters ?? []
            #expect(chapters.map { $0.tags?["title"] } == titles && chapters.map { Double($0.start_time) } == times)
        }
    }

    @Test("puts a cover in and takes it away", arguments: kinds)
    func cover(_ kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let path = try await made(kind, in: folder)
        let url = URL(filePath: path.string)
        let image = folder.file("cover.jpg")
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=600x600", "-frames:v", "1", image])
        let bytes = try Array(Data(contentsOf: URL(filePath: image)))
        let audio = try await Judge.allPackets(url).map { $0.map(\.data_hash) }
        var metadata = MovieMetadata()
        metadata.artwork = CoverArt(bytes)?.item
        try MovieEditing.apply(MovieChange(metadata: metadata), toMovieAt: path)
        if kind.ending == "wav" {
            #expect(try WaveTags(reading: path)?.covers.map(\.image) == [bytes])
        } else {
            let extracted = folder.file("again.jpg")
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", path.string, "-map", "0:v", "-c", "copy", "-f", "image2", extracted])
            #expect(try Array(Data(contentsOf: URL(filePath: extracted))) == bytes)
        }
        #expect(tags(try await Judge.ffprobe(url))["title"] == "Old title")
        metadata.artwork = []
        try MovieEditing.apply(MovieChange(metadata: metadata), toMovieAt: path)
        let probe = try await Judge.ffprobe(url)
        #expect(probe.streams.count == 1 && tags(probe)["title"] == "Old title")
        #expect(try await Judge.allPackets(url).map { $0.map(\.data_hash) } == audio)
    }

    @Test("is refused where the file has no place for it, which stays as it is")
    func refusals() async throws {
        let folder = try TemporaryFolder()
        for kind in [Self.kinds[1], Self.kinds[3], Self.kinds[4], Self.kinds[6]] {
            let path = try await made(kind, in: folder)
            let bytes = try Data(contentsOf: URL(filePath: path.string))
            let late = [MovieInfo.Chapter(start: MediaTime(seconds: 6), title: "Late")]
            var track = TrackChange(.audio, 1)
            track.title = "Commentary"
            for (change, words) in [
                (MovieChange(chapters: late), "before the chapter “Late” begins"),
                (MovieChange(tracks: [track]), "says nothing of single tracks"),
                (MovieChange(metadata: MovieMetadata(make: "Acme")), "has no place for the camera"),
            ] {
                #expect { try MovieEditing.apply(change, toMovieAt: path) } throws: { "\($0)".contains(words) }
            }
            try Data(bytes.dropLast(kind.ending == "mp3" ? 0 : 100)).write(to: URL(filePath: path.string))
            if ["opus", "wav"].contains(kind.ending) {
                #expect { try MovieEditing.apply(Self.change, toMovieAt: path) } throws: {
                    "\($0)".contains("recover it")
                }
            }
            try FileManager.default.removeItem(atPath: path.string)
        }
    }

    @Test("of a link changes the file that it leads to, for whom that is")
    func links() async throws {
        let folder = try TemporaryFolder()
        let path = try await made(Self.kinds[0], in: folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path.string)
        let link = folder.file("link.mp3")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "take.mp3")
        try MovieEditing.apply(Self.change, toMovieAt: FilePath(link))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "take.mp3")
        #expect(tags(try await Judge.ffprobe(URL(filePath: path.string)))["title"] == "Größer")
        let mode = try FileManager.default.attributesOfItem(atPath: path.string)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    @Test("of damaged files ends in an error or in a file", arguments: ["mp3", "flac", "opus", "wav"])
    func damage(ending: String) async throws {
        let folder = try TemporaryFolder()
        let kind = try #require(Self.kinds.first { $0.ending == ending })
        let path = try await made(kind, in: folder)
        try MovieEditing.apply(Self.change, toMovieAt: path)
        let bytes = try Array(Data(contentsOf: URL(filePath: path.string)))
        var random = SeededGenerator.printed(for: "damage of tags in \(ending)")
        for round in 0..<300 {
            let damaged = random.damage(bytes, changes: round % 8, among: 400)
            try Data(damaged).write(to: URL(filePath: path.string))
            do { try MovieEditing.apply(Self.change, toMovieAt: path) } catch {
                #expect(try Array(Data(contentsOf: URL(filePath: path.string))) == damaged)
            }
        }
    }
}
