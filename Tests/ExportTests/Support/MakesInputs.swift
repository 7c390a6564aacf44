import Encoding
import Export
import SystemPackage
import TestSupport

/// Tests that export inputs made by ffmpeg, and compare what it decodes of both.
protocol MakesInputs {
    var folder: TemporaryFolder { get }
}

extension MakesInputs {
    static var fast: String { "-c:v libx264 -preset ultrafast" }

    /// Three seconds of 30 frames each, and a tone; the options name no file.
    func make(_ name: String, size: String = "160x96", rate: Int = 30, _ options: String) async throws {
        try await Fixtures.make(
            folder.file(name), "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=\(rate):duration=3"]
                + ["-f", "lavfi", "-i", "sine=frequency=440:duration=3:sample_rate=44100", "-pix_fmt", "yuv420p"]
                + Tool.words(options))
    }

    func export(
        _ input: String, to name: String = "out.mov", _ preset: String = "h264",
        audio: ExportSettings.AudioHandling = .preset
    ) async throws -> ExportResult {
        var settings = ExportSettings(preset: preset)
        settings.reencodes = preset != "copy"
        settings.audio = audio
        return try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
    }

    /// Frames of the frame, and frames of the first audio, as ffmpeg decodes them.
    func decoded(_ name: String) async throws -> (frames: Int, audio: Int) {
        let frames = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file(name), "-map", "0:v?", "-fps_mode", "passthrough"]
                + ["-f", "framecrc", "-"])
        let audio = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file(name), "-map", "0:a:0", "-ac", "1", "-f", "s16le", "-"])
        return (frames.text.split(separator: "\n").count { !$0.hasPrefix("#") }, audio.output.count / 2)
    }
}
