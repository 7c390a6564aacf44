import Encoding
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// Audio in floating point that is louder than full scale, judged by ffmpeg.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct FloatPeakTests {
    @Test("what whole numbers clip is told", arguments: [("0.5", "flac"), ("4", "flac"), ("4", "wav"), ("4", "m4a")])
    func told(level: String, ending: String) async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.file("in.wav"), folder.file("out.\(ending)"))
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "aevalsrc=\(level)*sin(2000*t):d=1:s=48000", "-c:a", "pcm_f32le",
                input,
            ])
        let result = try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: "h264"))
            .export(to: MovieDestination(FilePath(output)))
        let note = result.notes.first { $0.contains("above full scale") }
        // AAC holds more than full scale.
        #expect((note != nil) == (level == "4" && ending != "m4a"), "\(result.notes)")
        if let note {
            #expect(note.contains("The audio reaches 12.0 dB above full scale") && note.contains("volume=-13dB"))
        }
    }

    @Test("an infinite sample is told, too") func infinite() throws {
        let note = try #require(PeakMeter.note(.infinity, track: 2))
        #expect(note.hasPrefix("Audio track 2 reaches 770.6 dB"))
        #expect(PeakMeter.note(1, track: nil) == nil)
    }
}
