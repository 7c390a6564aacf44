import Foundation
import TestSupport
import Testing

/// What the machine plays, as a microphone.
@Suite(.timeLimit(.minutes(25)), .turn, .requiresPulseAudio) struct LoudspeakerTests {
    @Test(arguments: ["speakers", "Monitor of Loop 0", "speaker0.monitor"])
    func `what the default loudspeaker plays is recorded`(name: String) async throws {
        let (servers, folder) = (try await Servers.start(.pulseAudio), try TemporaryFolder())
        let tone = folder.file("tone.wav")
        _ = try await Tool.succeed("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=660:duration=60", tone])
        let player = try RunningCommand("paplay", ["--device=speaker0", tone], environment: servers.environment)
        defer { player.signal(SIGTERM) }
        try await servers.waitUntilPlaying()
        let take = try await BuiltCommand.rushes.run(
            ["record", "voice.flac", "--microphone", name, "--duration", "5", "--progress", "none"],
            servers: servers, folder: folder.path)
        #expect(take.status == 0 && take.errors.contains("voice.flac"), "\(take)")
        let audio = try await FFmpeg.audio(of: folder.file("voice.flac"), rate: 48_000)
        #expect(audio.count == 240_000)
        // A busy machine's stamps bend the pitch a little at first.
        let heard = ToneAnalysis(audio.suffix(24_000).map { $0 }, rate: 48_000)
        #expect(abs(heard.frequency - 660) < 2 && heard.level > 0.02, "\(heard)")
    }

    @Test func `loudspeakers are listed by themselves, and none is taken for a microphone`() async throws {
        let servers = try await Servers.start(.pulseAudio)
        let table = try await BuiltCommand.rushes.run(["devices"], servers: servers)
        let parts = table.text.components(separatedBy: "What loudspeakers play")
        #expect(parts.count == 2 && !parts[0].contains("Loop"), "\(table)")
        #expect(parts.last?.contains("* Monitor of Loop 0") == true, "\(table)")
        let wrong = try await BuiltCommand.rushes.run(
            ["record", "--camera", "none", "--microphone", "Loop", "a.flac"], servers: servers)
        #expect(wrong.status != 0, "two fit")
        let doctor = try await BuiltCommand.rushes.run(["doctor"], servers: servers)
        let line = doctor.text.split(separator: "\n").first { $0.contains("Microphones") }
        #expect(line?.contains("Test Microphone") == true && line?.contains("Monitor") == false, "\(doctor)")
    }
}
