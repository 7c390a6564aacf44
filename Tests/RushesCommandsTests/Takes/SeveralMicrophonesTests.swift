import Foundation
import TestSupport
import Testing

/// `rushes record --microphone a --microphone b`: a track of each, or one of both.
@Suite(.timeLimit(.minutes(15)), .turn) struct SeveralMicrophonesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let camera = ["--camera", "test:pattern=ball,size=320x240,rate=30", "--codec", "h264"]
    private static let tones = [
        "--microphone", "test:frequency=440,volume=0.5", "--microphone", "test:frequency=1000,volume=0.5,gain=-12",
    ]

    struct Kind: Sendable, CustomTestStringConvertible {
        var file: String
        var options: [String] = []
        /// Hertz that each track holds, with their amplitudes.
        var tracks: [[Double: Double]] = [[440: 0.5], [1000: 0.1256]]
        var says: String?
        var testDescription: String { ([file] + options).joined(separator: " ") }
    }

    private static let mixed = [[440.0: 0.5, 1000.0: 0.1256]]
    private static let kinds = [
        Kind(file: "take.mov"), Kind(file: "take.mp4"), Kind(file: "take.mkv"), Kind(file: "take.webm"),
        Kind(file: "take.mov", options: ["--mix"], tracks: mixed), Kind(file: "voices.mka"),
        Kind(
            file: "voices.m4a", tracks: mixed, says: "M4A holds one audio track, so the microphones are mixed into it"),
        Kind(file: "voices.flac", options: ["--mix"], tracks: mixed),
    ]

    @Test(arguments: Cases.taken(of: kinds)) func `each has a track with its name, the first is played, or all are one`(
        kind: Kind
    ) async throws {
        let isVideo = !kind.file.hasPrefix("voices")
        let take = try await BuiltCommand.rushes.run(
            ["record"] + (isVideo ? Self.camera.dropLast(kind.file.hasSuffix("webm") ? 2 : 0) : []) + Self.tones
                + kind.options
                + ["--duration", "1.2", "--progress", "none", kind.file], folder: folder.path)
        #expect(take.status == 0, "\(take)")
        Quiet.expect(take.errors)
        #expect(take.errors.contains("Test tone, stereo, gain -12 dB"), "\(take)")
        if let words = kind.says { #expect(take.errors.contains(words), "\(take)") }
        let file = folder.file(kind.file)
        let report = try await FFProbe.inspect(file)
        #expect(report.audio.count == kind.tracks.count, "\(report)")
        try await FFmpeg.decode(file)
        for (index, wanted) in kind.tracks.enumerated() {
            let audio = try await FFmpeg.audio(of: file, track: index, rate: 48_000, channel: 0)
            try #require(abs(audio.count - 57_600) < 2500, "\(audio.count)")
            let middle = audio[9600..<48_000]
            for hertz in [440.0, 1000] {
                let amplitude = ToneAnalysis.amplitude(of: hertz, in: middle, rate: 48_000)
                #expect(abs(amplitude - (wanted[hertz] ?? 0)) < 0.02, "\(hertz) Hz in track \(index): \(amplitude)")
            }
        }
        guard kind.tracks.count > 1 else { return }
        let json = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "a", "-show_entries",
                "stream_tags=title,handler_name:stream_disposition=default", "-of", "json", file,
            ])
        let streams = try JSONDecoder().decode(Streams.self, from: json.output).streams
        #expect(streams.map { $0.disposition["default"] } == [1, 0], "\(json.text)")
        #expect(streams.map { $0.tags.values.sorted() } == [["Test tone"], ["Test tone 2"]], "\(json.text)")
    }

    private struct Streams: Decodable {
        struct Stream: Decodable {
            var tags: [String: String]
            var disposition: [String: Int]
        }
        var streams: [Stream]
    }

    @Test func `a microphone is muted by its name while it is recorded, and heard again`() async throws {
        let journal = ["XDG_STATE_HOME": folder.file("state")] as [String: String?]
        let begin = ContinuousClock.now
        let take = try BuiltCommand.rushes.start(
            ["record", "--camera", "none"] + Self.tones + [
                "--audio", "flac", "--json", "--progress", "none", "take.mka",
            ],
            environment: journal, folder: folder.path)
        var (step, id, due) = (0, "", 0.7)
        for await line in take.lines {
            let event = try Event(line)
            guard let time = event.state.mediaTime, event.state.phase == "running" else { continue }
            id = event.id
            guard step < 3, time >= due else { continue }
            switch step {
            case 0:
                try await answer(
                    ["control", id, "mute", "test:frequency=1000,volume=0.5"], journal, "Test tone is muted.")
            case 1:
                try await answer(
                    ["control", id, "unmute"], journal, "Test tone and Test tone are no longer muted.")
            default:
                let wrong = try await BuiltCommand.rushes.run(
                    ["control", id, "mute", "piano"], environment: journal, folder: folder.path)
                #expect(
                    wrong.status == 1 && wrong.errors.contains("is called 'piano'; it has Test tone"), "\(wrong)")
                take.signal(SIGINT)
            }
            step += 1
            // A second behind the answer, however long that took: no time in the movie is later than the clock's.
            due = begin.duration(to: .now) / .seconds(1) + 1
        }
        #expect(try await take.result(within: .seconds(60)).status == 0)
        let file = folder.file("take.mka")
        let (first, second) = (
            try await FFmpeg.audio(of: file, track: 0, rate: 48_000, channel: 0),
            try await FFmpeg.audio(of: file, track: 1, rate: 48_000, channel: 0)
        )
        #expect(first.count == second.count && ToneAnalysis(first, rate: 48_000).longestSilence < 0.001)
        let heard = stride(from: 0, to: second.count - 4800, by: 4800).map { start in
            ToneAnalysis.amplitude(of: 1000, in: second[start..<start + 4800], rate: 48_000) > 0.05
        }
        // Heard, then not for a second or longer, then heard again.
        let turns = zip(heard, heard.dropFirst()).count { $0 != $1 }
        #expect(turns == 2 && heard.first == true && heard.last == true, "\(heard)")
        #expect(heard.count { !$0 } >= 5, "\(heard)")
    }

    private func answer(_ arguments: [String], _ journal: [String: String?], _ words: String) async throws {
        let result = try await BuiltCommand.rushes.run(arguments, environment: journal, folder: folder.path)
        #expect(result.status == 0 && result.errors.contains(words), "\(result)")
    }

    @Test(arguments: [
        (["--microphone", "test", "--mix"], "give another --microphone"),
        (["--microphone", "test,gain=loud"], "decibels from -60 to 40"),
        (["--microphone", "test,gain=99"], "decibels from -60 to 40"),
    ]) func `what makes no sense is refused with the cure`(options: [String], words: String) async throws {
        let result = try await BuiltCommand.rushes.run(
            ["record", "--camera", "none"] + options + ["a.mov"], folder: folder.path)
        #expect(result.status == 64 && result.errors.contains(words), "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
