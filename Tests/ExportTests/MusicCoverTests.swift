import Encoding
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Covers and texts of music that GStreamer leaves out, in what is made of it; judged by ffprobe.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MusicCoverTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ words: [String]) async throws {
        _ = try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i"] + words)
    }

    private func data(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder.file(name))) }

    /// The tags, in small letters, and the codecs of the covers and of all else.
    private func export(
        _ input: String, to output: String
    ) async throws -> (tags: [String: String], covers: [String], streams: [String], notes: [String]) {
        let settings = ExportSettings(preset: "h264")
        let notes = try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(output)))).notes
        let report = try await MusicReport.inspect(folder.file(output))
        let others = report.streams.filter { !$0.isCover }
        return (report.tags, report.covers, others.map(\.codec_name), notes)
    }

    private static func number(_ value: Int, _ count: Int = 4) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    /// An item of an APEv2 tag.
    private static func item(_ name: String, _ value: Data, isBinary: Bool = false) -> Data {
        Data([number(value.count), number(isBinary ? 2 : 0), Data(name.utf8), Data([0]), value].joined())
    }

    private static func apeTag(_ items: [Data]) -> Data {
        let content = Data(items.joined())
        let rest = [number(2000), number(content.count + 32), number(items.count), number(0, 12)]
        return Data(([content, Data("APETAGEX".utf8)] + rest).joined())
    }

    @Test func `the tag behind WavPack is read`() async throws {
        try await run(["sine=duration=1", "-map_metadata", "-1", "-c:a", "wavpack", "-bitexact", folder.file("in.wv")])
        try await run(["color=red:size=64x64:duration=0.04", "-frames:v", "1", folder.file("cover.png")])
        let named = Data("cover.png".utf8) + [0] + (try data("cover.png"))
        let tag = Self.apeTag([
            Self.item("Title", Data("Títle".utf8)), Self.item("Year", Data("2005".utf8)),
            Self.item("Album Artist", Data("All".utf8)), Self.item("Cover Art (Back)", Data("x".utf8), isBinary: true),
            Self.item("Cover Art (Front)", named, isBinary: true),
        ])
        try (try data("in.wv") + tag).write(to: URL(filePath: folder.file("tagged.wv")))
        for output in ["out.m4a", "out.mka"] {
            let made = try await export("tagged.wv", to: output)
            #expect(made.covers == ["png"] && made.tags["title"] == "Títle", "\(made)")
            let date = made.tags["date"] ?? made.tags["DATE"]
            #expect(date == "2005", "\(made)")
            // What of the back is none.
            #expect(made.notes.contains { $0.hasPrefix("Left out: cover;") }, "\(made)")
        }
    }

    @Test func `the tag at the end of DSF is read, and its cover is no video`() async throws {
        try await run([
            "sine=duration=1", "-f", "lavfi", "-i", "color=red:size=64x64:duration=0.04", "-map", "0", "-map", "1",
            "-c:v", "mjpeg", "-frames:v", "1", "-c:a", "libmp3lame", "-metadata", "title=Títle", "-metadata",
            "artist=Ann",
            folder.file("in.mp3"),
        ])
        let song = try data("in.mp3")
        // Seven bits a byte, behind the name, the version and the flags.
        let tag = song.prefix(song[6..<10].reduce(0) { $0 << 7 | Int($1) } + 10)
        // Two channels of blocks of silence.
        let blocks = 100
        let samples = Data(repeating: 0x69, count: blocks * 2 * 4096)
        let numbers = [1, 0, 2, 2, 2_822_400, 1].map { Self.number($0) }
        let format = [Data("fmt ".utf8), Self.number(52, 8)] + numbers
        let lengths = [Self.number(blocks * 4096 * 8, 8), Self.number(4096), Self.number(0)]
        let audio = [Data("data".utf8), Self.number(12 + samples.count, 8), samples]
        let body = Data((format + lengths + audio).joined())
        let place = 28 + body.count
        let head = [Data("DSD ".utf8), Self.number(28, 8), Self.number(place + tag.count, 8), Self.number(place, 8)]
        try Data((head + [body, tag]).joined()).write(to: URL(filePath: folder.file("in.dsf")))
        for output in ["out.m4a", "out.mka", "out.mov", "out.mkv", "out.flac"] {
            let made = try await export("in.dsf", to: output)
            #expect(made.streams.count == 1 && made.tags["title"] == "Títle", "\(output): \(made)")
            #expect(made.tags["artist"] == "Ann", "\(output): \(made)")
            #expect(made.covers == ["mjpeg"], "\(output): \(made)")
            #expect(!made.notes.contains { $0.contains("left out") || $0.hasPrefix("Left out") }, "\(output): \(made)")
        }
    }
}
