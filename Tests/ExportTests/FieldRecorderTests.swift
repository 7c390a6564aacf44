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

    @Test func `scene, take and channels stay in WAV, and the first sample's time of day follows`() async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1:sample_rate=48000", "-c:a", "pcm_s24le"]
                + ["-ac", "2", folder.file("plain.wav")])
        func words(_ low: Int, rate: Int = 48000, more: String = "") -> Data {
            // Above 32 bits, as after ten hours at 192 kHz.
            let time = "<TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_"
            return Data(
                ("<?xml version=\"1.0\"?><BWFXML><SCENE>66</SCENE><TAKE>2</TAKE><SPEED>"
                    + "<FILE_SAMPLE_RATE>\(rate)</FILE_SAMPLE_RATE><AUDIO_BIT_DEPTH>24</AUDIO_BIT_DEPTH>"
                    + "\(time)HI>1</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>"
                    + "\(time)LO>\(low)</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>"
                    + "<TIMESTAMP_SAMPLE_RATE>48000</TIMESTAMP_SAMPLE_RATE></SPEED>\(more)</BWFXML>").utf8)
        }
        func place(_ chunk: Data) throws {
            let plain = try Data(contentsOf: URL(filePath: folder.file("plain.wav")))
            try MadeWave.bytes(of: plain, followedBy: [("iXML", chunk)])
                .write(to: URL(filePath: folder.file("field.wav")))
        }
        func kept(_ output: String) throws -> Data? {
            MadeWave.chunk("iXML", of: try Data(contentsOf: URL(filePath: folder.file(output))))
        }
        try place(words(1000))
        for (output, start, preset) in [("a.wav", 0.0, "copy"), ("b.wav", 0, "h264"), ("c.wav", 0.5, "copy")] {
            let notes = try await export(to: output, preset, from: MediaTime(seconds: start))
            #expect(!notes.contains { $0.hasPrefix("Left out") }, "\(output): \(notes)")
            #expect(try kept(output) == words(1000 + Int(start * 48000)), "\(output)")
            let streams = try await report(output).streams
            #expect(streams.map(\.codec_name) == ["pcm_s24le"], "\(output)")
        }
        var slower = ExportSettings(preset: "h264")
        slower.sampleRate = 44100
        #expect(try await export(to: "d.wav", slower).allSatisfy { !$0.hasPrefix("Left out") })
        #expect(try kept("d.wav") == words(1000, rate: 44100))
        // Names of channels that are no more, and a film that has no place for them.
        var mono = ExportSettings(preset: "h264")
        mono.channels = 1
        for (output, settings) in [("e.wav", mono), ("e.mov", ExportSettings(preset: "h264"))] {
            let notes = try await export(to: output, settings)
            #expect(notes.contains { $0.hasPrefix("Left out: iXML") }, "\(output): \(notes)")
        }
        #expect(try kept("e.wav") == nil)
        // Counted from either midnight or the beginning.
        try place(words(1000, more: "<SYNC_POINT_LIST><SYNC_POINT></SYNC_POINT></SYNC_POINT_LIST>"))
        let notes = try await export(to: "f.wav", "copy", from: MediaTime(seconds: 0.5))
        #expect(notes.contains { $0.hasPrefix("Left out: iXML") }, "\(notes)")
        #expect(try kept("f.wav") == nil)
    }

    private func report(_ name: String) async throws -> MusicReport {
        try await MusicReport.inspect(folder.file(name))
    }

    private func export(
        to output: String, _ preset: String = "h264", from start: MediaTime = .zero
    ) async throws -> [String] {
        var settings = ExportSettings(preset: preset)
        if start > .zero { settings.range = TimeRange(start: start) }
        return try await export(to: output, settings)
    }

    private func export(to output: String, _ settings: ExportSettings) async throws -> [String] {
        try await ExportSession(input: FilePath(folder.file("field.wav")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(output)))).notes
    }
}
