import Foundation
import TestSupport
import Testing

/// Two microphones of a real sound server in one recording, each with a clock of its own.
@Suite(.serialized, .timeLimit(.minutes(15)), .alone, .requiresPulseAudio, .requiresPipeWire)
struct SeveralMicrophonesRealTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Reads events until the movie is so long.
    private func reach(_ seconds: Double, _ take: RunningCommand) async throws {
        for await line in take.lines where try Event(line).state.mediaTime ?? 0 >= seconds { return }
    }

    @Test(arguments: [Servers.Kind.pulseAudio, .pipeWire])
    func `one is unplugged: its track goes on in silence and is told by name, the other is whole`(
        server: Servers.Kind
    ) async throws {
        let servers = try await Servers.start(server)
        let (a, b) = (
            try await servers.plugInMicrophone("a", "Mic A", "--tone", "440"),
            try await servers.plugInMicrophone("b", "Mic B", "--tone", "880")
        )
        _ = (a, b)
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", "test:pattern=ball,size=320x240,rate=30", "--codec", "h264", "--microphone", "a",
                "--microphone", "Mic B", "--audio", "flac", "--json", "--progress", "none", "take.mkv",
            ], servers: servers, folder: folder.path)
        try await reach(1.5, take)
        try await b.unplug()
        var lost: Double?
        for await line in take.lines {
            let state = try Event(line).state
            if lost == nil, state.message?.contains("Mic B is lost") == true { lost = state.mediaTime }
            // The last second is judged.
            if let lost, state.mediaTime ?? 0 >= lost + 2 { break }
        }
        take.signal(SIGINT)
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 3, "\(result)")
        #expect(
            result.errors.contains(
                "Mic B is lost (it was unplugged); silence is recorded in its place, and the other microphone as before."
            ),
            "\(result)")
        let file = folder.file("take.mkv")
        try await FFmpeg.decode(file)
        let titles = try await FFProbe.inspect(file).audio.map { $0.tags?["TITLE"] ?? $0.tags?["title"] }
        #expect(titles == ["Mic A", "Mic B"])
        let (first, second) = (
            try await FFmpeg.audio(of: file, track: 0, rate: 48_000),
            try await FFmpeg.audio(of: file, track: 1, rate: 48_000)
        )
        #expect(first.count == second.count)
        // A busy machine's stamps bend the pitch by up to three thousandths at first.
        #expect(ToneAnalysis(Array(first), rate: 48_000).level > 0.02)
        #expect(ToneAnalysis.amplitude(of: 880, in: first, rate: 48_000) < 0.002)
        // Before it was unplugged; a server that the machine holds up, as in a run beside others, loses half a second now and then.
        let before = second.prefix(72_000)
        let heard = stride(from: 0, through: before.count - 24_000, by: 4_800).map {
            ToneAnalysis(Array(before[$0..<$0 + 24_000]), rate: 48_000)
        }
        #expect(heard.contains { abs($0.frequency - 880) < 6 && $0.level > 0.02 }, "\(heard)")
        #expect((second.suffix(48_000).map { abs($0) }.max() ?? 1) < 0.001)
    }

    @Test func `a voice and what the loudspeaker plays are a track each`() async throws {
        let servers = try await Servers.start(.pulseAudio)
        let voice = try await servers.plugInMicrophone("voice", "Voice", "--tone", "440")
        _ = voice
        let tone = folder.file("tone.wav")
        _ = try await Tool.succeed("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=660:duration=60", tone])
        let player = try RunningCommand("paplay", ["--device=speaker0", tone], environment: servers.environment)
        defer { player.signal(SIGTERM) }
        try await servers.waitUntilPlaying()
        let take = try await BuiltCommand.rushes.run(
            [
                "record", "--camera", "none", "--microphone", "voice", "--microphone", "speakers", "--channels", "1",
                "--audio", "flac", "--duration", "3", "--progress", "none", "call.mka",
            ], servers: servers, folder: folder.path)
        #expect(take.status == 0, "\(take)")
        let file = folder.file("call.mka")
        let titles = try await FFProbe.inspect(file).audio.map { $0.tags?["TITLE"] ?? $0.tags?["title"] }
        #expect(titles == ["Voice", "Monitor of Loop 0"])
        for (track, hertz) in [440.0, 660].enumerated() {
            let audio = try await FFmpeg.audio(of: file, track: track, rate: 48_000)
            #expect(audio.count == 144_000)
            let heard = ToneAnalysis(Array(audio.suffix(48_000)), rate: 48_000)
            #expect(abs(heard.frequency - hertz) < 6 && heard.level > 0.02, "track \(track): \(heard)")
        }
    }

    @Test func `each microphone's own clock is followed`() async throws {
        let servers = try await Servers.start(.pulseAudio)
        let (a, b) = (
            try await servers.plugInMicrophone("a", "Mic A", "--tone", "1000", "--speed", "1.002"),
            try await servers.plugInMicrophone("b", "Mic B", "--tone", "1000", "--speed", "0.998")
        )
        _ = (a, b)
        // A thousand by each one's own clock, so by the system's 1002 and 998; a clock that is not followed leaves 1000.
        func areFollowed(_ ends: [Double]) -> Bool {
            ends.count == 2 && zip(ends, [1002, 998]).allSatisfy { abs($0 - $1) < 0.7 }
        }
        var ends: [Double] = []
        // The microphones are programs: where the machine holds them up again and again, they are late themselves.
        for name in ["take.mka", "second.mka", "third.mka"] where !areFollowed(ends) {
            let take = try await BuiltCommand.rushes.run(
                [
                    "record", "--camera", "none", "--microphone", "a", "--microphone", "b", "--channels", "1",
                    "--audio", "flac", "--duration", "12", "--progress", "none", name,
                ], servers: servers, folder: folder.path)
            #expect(take.status == 0, "\(take)")
            ends = []
            for track in 0...1 {
                let audio = try await FFmpeg.audio(of: folder.file(name), track: track, rate: 48_000)
                #expect(audio.count == 576_000)
                // A hole is heard in a few of the half seconds, a clock that is not followed in all.
                let end = Array(audio.suffix(288_000))
                let heard = stride(from: 0, through: end.count - 48_000, by: 24_000).map {
                    ToneAnalysis(Array(end[$0..<$0 + 48_000]), rate: 48_000).frequency
                }
                ends.append(heard.sorted()[heard.count / 2])
            }
        }
        #expect(areFollowed(ends), "\(ends)")
    }
}
