import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// WAV files of recorders of the film and broadcast trades.
@Suite(.timeLimit(.minutes(10))) struct FieldRecorderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `what a field recorder says is kept, or told where it cannot be`() async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1", "-c:a", "pcm_s16le", "-write_bext",
                "1",
            ]
                + ["-metadata", "description=Scene 66", "-metadata", "originator=Recorder"]
                + ["-metadata", "origination_date=2018-01-09", "-metadata", "origination_time=01:23:45"]
                + ["-metadata", "time_reference=110801250", folder.file("field.wav")])
        #expect(try await report("field.wav").tags["comment"] == "Scene 66")
        for output in ["field.m4a", "field.mka", "field.mov"] {
            let notes = try await export(to: output)
            let told = try await report(output).tags
            #expect(told["comment"] == "Scene 66", "\(output): \(told)")
            let date = told["com.apple.quicktime.creationdate"] ?? told["creation_time"] ?? told["date"]
            #expect(date?.hasPrefix("2018-01-") == true, "\(output): \(told)")
            #expect(notes.contains { $0.contains("originator, time reference") }, "\(output): \(notes)")
        }
        for (output, start, preset) in [("a.wav", 0.0, "copy"), ("b.wav", 0, "h264"), ("c.wav", 0.5, "copy")] {
            let notes = try await export(to: output, preset, from: MediaTime(seconds: start))
            #expect(!notes.contains { $0.hasPrefix("Left out") }, "\(output): \(notes)")
            let told = try await report(output).tags
            #expect(told["encoded_by"] ?? told["originator"] == "Recorder", "\(output): \(told)")
            #expect(told["time_reference"] == "\(110_801_250 + Int(start * 44100))", "\(output): \(told)")
        }
    }

    private func report(_ name: String) async throws -> MusicReport {
        try await MusicReport.inspect(folder.file(name))
    }

    private func export(
        to output: String, _ preset: String = "h264", from start: MediaTime = .zero
    ) async throws -> [String] {
        var settings = ExportSettings(preset: preset)
        if start > .zero { settings.range = TimeRange(start: start) }
        return try await ExportSession(input: FilePath(folder.file("field.wav")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(output)))).notes
    }
}
