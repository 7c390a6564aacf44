import Encoding
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Movies that are given away without what they say of themselves.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "exiftool", package: "libimage-exiftool-perl"))
struct StrippedMetadataTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let words = ["Secret", "Nowhere", "48.85", "Cameras", "2019-06", "2019:06"]

    @Test(arguments: Cases.taken(of: ["out.mov", "out.mp4", "out.mkv"], ["copy", "h264"], most: 3))
    func `nothing is left of date, place, camera and tags, and chapters and languages stay`(
        name: String, preset: String
    ) async throws {
        try Data(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=3000\ntitle=One\n".utf8)
            .write(to: URL(filePath: folder.file("chapters.txt")))
        try await make("plain.mov", "\(Self.fast) -c:a aac -metadata:s:a:0 language=ger")
        _ = try await Tool.succeed(
            "ffmpeg",
            Tool.words("-nostdin -v error -i \(folder.file("plain.mov")) -i \(folder.file("chapters.txt")) -map 0")
                + Tool.words("-map_chapters 1 -c copy -movflags use_metadata_tags -metadata com.example.note=Nowhere")
                + [folder.file("in.mov")])
        var metadata = MovieMetadata()
        (metadata.title, metadata.comment, metadata.make) = ("Secret", "Secret too", "Cameras Inc.")
        metadata.creationDate = MovieDate("2019-06-08T13:20:00Z")
        metadata.location = "+48.8577+002.2950/"
        try MovieEditing.setMetadata(metadata, ofMovieAt: FilePath(folder.file("in.mov")))
        let before = try await told("in.mov")
        for word in Self.words { #expect(before.contains(word), "\(word)") }
        var settings = ExportSettings(preset: preset)
        (settings.stripsMetadata, settings.reencodes) = (true, preset != "copy")
        let result = try await ExportSession(input: FilePath(folder.file("in.mov")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
        #expect(result.frames == 90)
        let after = try await told(name)
        for word in Self.words { #expect(!after.contains(word), "\(word) in \(after)") }
        let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
        for word in ["Secret", "Nowhere", "Cameras"] { #expect(bytes.range(of: Data(word.utf8)) == nil) }
        let probe = try await FFProbe.inspect(folder.file(name))
        #expect(probe.chapters?.count == 1)
        #expect(after.contains("deu") || after.contains("ger"), "\(after)")
    }

    @Test(arguments: ["out.mkv", "out.mp4"], ["copy", "h264"])
    func `of Matroska neither cover nor attachments but fonts are left, nor what its tracks are called`(
        name: String, preset: String
    ) async throws {
        for (file, text) in [("note.txt", "SecretNote"), ("font.ttf", "AFont")] {
            try Data(text.utf8).write(to: URL(filePath: folder.file(file)))
        }
        try await make("cover.jpg", "-map 0:v -frames:v 1 -update 1")
        // Behind a JPEG's end anything may stand.
        let cover = try Data(contentsOf: URL(filePath: folder.file("cover.jpg"))) + Data("SecretCover".utf8)
        try cover.write(to: URL(filePath: folder.file("cover.jpg")))
        try await make("plain.mkv", "\(Self.fast) -c:a aac")
        let attached = [
            ("cover.jpg", "image/jpeg"), ("note.txt", "text/plain"), ("font.ttf", "application/x-truetype-font"),
        ]
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file("plain.mkv")]
                + attached.flatMap { ["-attach", folder.file($0.0)] }
                + attached.enumerated().flatMap { ["-metadata:s:t:\($0)", "mimetype=\($1.1)"] }
                + Tool.words("-c copy -metadata DIRECTOR=SecretDirector -metadata:s:a:0 title=SecretTrack")
                + [folder.file("in.mkv")])
        let words = ["SecretCover", "SecretNote", "SecretDirector", "SecretTrack", "AFont"]
        let before = try Data(contentsOf: URL(filePath: folder.file("in.mkv")))
        for word in words { #expect(before.range(of: Data(word.utf8)) != nil, "\(word)") }
        var settings = ExportSettings(preset: preset)
        (settings.stripsMetadata, settings.reencodes) = (true, preset != "copy")
        _ = try await ExportSession(input: FilePath(folder.file("in.mkv")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
        let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
        for word in words.dropLast() { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)") }
        #expect((bytes.range(of: Data("AFont".utf8)) != nil) == (name == "out.mkv"))
        try await FFmpeg.decode(folder.file(name))
    }

    /// All that exiftool and ffprobe find.
    private func told(_ name: String) async throws -> String {
        try await Tool.succeed("exiftool", ["-G3", "-ee", "-s", "--System:all", folder.file(name)]).text
            + Tool.succeed("ffprobe", ["-v", "error", "-show_format", "-show_streams", folder.file(name)]).text
    }
}
