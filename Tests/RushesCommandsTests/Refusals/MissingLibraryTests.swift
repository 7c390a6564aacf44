import Foundation
import TestSupport
import Testing

/// Libraries that are loaded when something needs them: no start has them, and where one is missing its package is named.
@Suite(.timeLimit(.minutes(25)), .turn) struct MissingLibraryTests {
    /// The loader takes what it finds first, and an empty file is no library.
    private static func hiding(_ names: [String], in folder: TemporaryFolder) throws -> [String: String?] {
        try FileManager.default.createDirectory(
            atPath: folder.file("libraries"), withIntermediateDirectories: false)
        for name in names {
            try Data().write(to: URL(filePath: folder.file("libraries/\(name)")))
        }
        return ["LD_LIBRARY_PATH": folder.file("libraries")]
    }

    @Test func `a start loads none of them`() async throws {
        let listing = try await Tool.succeed("ldd", [try BuiltCommand.rushes.path]).text
        #expect(listing.contains("libgstreamer-1.0"), "\(listing)")
        for name in ["libass", "libavcodec", "libavfilter", "libavformat", "libavutil", "libheif", "libraw"] {
            #expect(!listing.contains("\(name)."), "\(listing)")
            #expect(!listing.contains("\(name)_"), "\(listing)")
        }
    }

    @Test(.requires(tool: "ffmpeg", package: "ffmpeg"), arguments: ["libass.so.9", "libavcodec.so."])
    func `what draws subtitles is missing: its package is named, before any file is made`(library: String) async throws
    {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=25:duration=0.2"]
                + ["-c:v", "libvpx", folder.file("in.webm")])
        try Data("1\n00:00:00,000 --> 00:00:00,100\nOne\n\n".utf8).write(to: URL(filePath: folder.file("in.srt")))
        // Of libavcodec the version of the headers is wanted, whichever they are.
        let versions = library.hasSuffix(".") ? (55...70).map { "\(library)\($0)" } : [library]
        let environment = try Self.hiding(versions, in: folder)
        let name = library.replacing(".so.", with: "")
        try await Refusal.expect(
            ["transcode", "in.webm", "--output", "out.mkv", "--preset", "h264", "--burn-subtitles", "in.srt"],
            status: 1, saying: ["is not installed; install the package \(name)"], in: folder,
            environment: environment)
        let doctor = try await BuiltCommand.rushes.run(["doctor"], environment: environment)
        #expect(doctor.text.contains("install the package \(name)"), "\(doctor)")
    }

    @Test(.requires(tool: "ffmpeg", package: "ffmpeg"))
    func `what reads other audio is missing: its package is named`() async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=0.5", folder.file("in.adx")])
        let environment = try Self.hiding((55...70).map { "libavformat.so.\($0)" }, in: folder)
        try await Refusal.expect(
            ["transcode", "in.adx", "--output", "out.wav"], status: 1,
            saying: ["is of a kind that libavformat reads, which is not installed; install libavformat"], in: folder,
            environment: environment)
        let line = "other kinds of movies and audio, as ffmpeg reads them"
        let missing = try await BuiltCommand.rushes.run(["doctor"], environment: environment)
        #expect(missing.text.contains("install libavformat") && missing.text.contains(line), "\(missing)")
        let there = try await BuiltCommand.rushes.run(["doctor"])
        #expect(!there.text.contains("install libavformat") && there.text.contains(line), "\(there)")
    }

    @Test(.requires(tool: "ffmpeg", package: "ffmpeg"))
    func `what writes GIFs is missing: its package is named, before any file is made`() async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=25:duration=0.2"]
                + ["-c:v", "libvpx", folder.file("in.webm")])
        let environment = try Self.hiding((6...20).map { "libavfilter.so.\($0)" }, in: folder)
        try await Refusal.expect(
            ["transcode", "in.webm", "--output", "out.gif"], status: 1,
            saying: ["libavfilter is not installed; install the package libavfilter"], in: folder,
            environment: environment)
        let doctor = try await BuiltCommand.rushes.run(["doctor"], environment: environment)
        #expect(doctor.text.contains("install libavfilter"), "\(doctor)")
        let there = try await BuiltCommand.rushes.run(["doctor"])
        #expect(there.text.contains("Writing gif") && !there.text.contains("install libavfilter"), "\(there)")
    }

    @Test func `what decodes photos is missing: the doctor names its package`() async throws {
        let folder = try TemporaryFolder()
        let doctor = try await BuiltCommand.rushes.run(
            ["doctor", "--json"], environment: try Self.hiding(["libheif.so.1"], in: folder))
        #expect(doctor.text.contains("install libheif (Debian's libheif1)"), "\(doctor)")
    }
}
