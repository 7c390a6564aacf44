import Foundation
import TestSupport
import Testing

/// Encoders and muxers that are not installed: the package is named, or the next candidate is used and said.
@Suite(.timeLimit(.minutes(25)), .turn) struct MissingEncoderTests {
    @Test func `an encoder that is not installed is refused with its package`() async throws {
        let plugins = try await LimitedPlugins(
            without: "libgstx265.so", "libgstx264.so", "libgstopenh264.so", "libgstopus.so")
        func take(_ options: String..., file: String) -> [String] {
            ["record"] + Takes.small + ["--duration", "1"] + options + [file]
        }
        try await Refusal.expect(
            take("--codec", "hevc", file: "take.mov"), status: 1,
            saying: ["HEVC", "x265enc", "install gstreamer1.0-plugins-bad"],
            environment: plugins.environment)
        try await Refusal.expect(
            take("--codec", "h264", file: "take.mov"), status: 1,
            saying: ["H.264", "install gstreamer1.0-plugins-ugly"],
            environment: plugins.environment)
        try await Refusal.expect(
            take("--codec", "mjpeg", "--audio", "opus", file: "take.mkv"), status: 1,
            saying: ["Opus", "install gstreamer1.0-plugins-bas"], environment: plugins.environment)

        let listing = try await BuiltCommand.rushes.run(["encoders"], environment: plugins.environment)
        #expect(listing.text.contains(#/hevc +x265enc +software +install gstreamer1.0-plugins-bad/#), "\(listing)")
    }

    @Test func `the doctor says what works, what to install, and whether movies can be made at all`() async throws {
        let well = try await BuiltCommand.rushes.run(["doctor"], environment: ["LC_ALL": "C.UTF-8"])
        #expect(well.status == 0, "\(well)")
        #expect(
            well.text.contains(#/✓ +Writing hevc +x265enc/#) && well.text.contains(#/✗ +Cameras +none; plug one in/#))
        #expect(
            well.text.contains(#/✓ +Disk +[0-9]/#) && well.text.contains(#/Recording 1280×720 at 30 +H/#), "\(well)")
        #expect(
            well.text.contains(#/✗ +Preview +There is no display/#)
                && well.text.contains(#/✗ +Rotation +no accelerometer/#), "\(well)")
        #expect(
            well.text.contains(#/✓ +Reading +HEIC/#) && well.text.contains(#/✓ +Drawing subtitles/#), "\(well)")
        let plain = try await BuiltCommand.rushes.run(["doctor"], environment: ["LC_ALL": "C"])
        #expect(plain.text.contains(#/ok +Writing hevc/#) && !plain.text.contains("✓"), "\(plain)")
        let plugins = try await LimitedPlugins(
            without: "libgstx265.so", "libgstx264.so", "libgstopenh264.so", "libgstisomp4.so")
        let poor = try await BuiltCommand.rushes.run(["doctor", "--json"], environment: plugins.environment)
        #expect(poor.status == 1, "\(poor)")
        let lines = poor.text.split(separator: "\n")
        #expect(lines.contains { $0.contains("install gstreamer1.0-plugins-bad") && $0.contains(#""good":false"#) })
        #expect(lines.contains { $0.contains("MOV and MP4: install") && $0.contains(#""needed":true"#) }, "\(poor)")
    }

    @Test func `without HEVC's encoder the default is H.264, and the line says which`() async throws {
        let plugins = try await LimitedPlugins(without: "libgstx265.so")
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            ["record"] + Takes.small + ["--duration", "0.5", "take.mov"], environment: plugins.environment,
            folder: folder.path)
        #expect(result.status == 0, "\(result)")
        #expect(result.errors.contains("H.264 with x264enc"), "\(result)")
        #expect(try await FFProbe.inspect(folder.file("take.mov")).video.first?.codecName == "h264")
    }

    @Test func `the next candidate is used where the first is missing, and the line says which`() async throws {
        let plugins = try await LimitedPlugins(without: "libgstx264.so")
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            ["record"] + Takes.small + ["--codec", "h264", "--duration", "0.5", "take.mov"],
            environment: plugins.environment,
            folder: folder.path)
        #expect(result.status == 0, "\(result)")
        #expect(result.errors.contains("openh264enc"), "\(result)")
    }

    @Test func `a muxer or a converter that is missing is a sentence too`() async throws {
        let plugins = try await LimitedPlugins(without: "libgstisomp4.so")
        try await Refusal.expect(
            ["record"] + Takes.small + ["--duration", "0.5", "--codec", "h264", "take.mov"], status: 1,
            saying: ["qtmux"],
            environment: plugins.environment)
    }

    @Test func `a machine without test sources or sound servers' elements is a sentence too`() async throws {
        let plugins = try await LimitedPlugins(
            without: "libgstvideotestsrc.so", "libgstpulseaudio.so", "libgstpipewire.so")
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            ["record"] + Takes.small + ["--duration", "0.5", "--codec", "h264", "take.mov"],
            environment: plugins.environment, folder: folder.path)
        #expect([1, 64].contains(result.status), "\(result)")
        #expect(result.errors.contains("videotestsrc"), "\(result)")
        Refusal.expectSentence(result.errors)
        #expect(folder.contents == [])
    }

    @Test func `a program that was moved has its encoder tables with it`() async throws {
        let folder = try TemporaryFolder()
        let moved = folder.file("rushes")
        // By another process: while this one writes it, a test beside that starts a program passes the open file on.
        _ = try await Tool.succeed("cp", [try BuiltCommand.rushes.path, moved])
        let take = ["record"] + Takes.small + ["--duration", "0.5", "take.mov"]
        let elsewhere = try await Tool.run(
            moved, take, limit: .seconds(120), environment: ["RUSHES_PIPELINES": "/nowhere"], folder: folder.path)
        Refusal.expect(elsewhere, status: 1, saying: ["“/nowhere”", "RUSHES_PIPELINES"])
        #expect(folder.contents == ["rushes"])
        _ = try await Tool.succeed(
            moved, take, limit: .seconds(120), environment: ["RUSHES_PIPELINES": nil], folder: folder.path)
        try await FFmpeg.decode(folder.file("take.mov"))
    }
}
