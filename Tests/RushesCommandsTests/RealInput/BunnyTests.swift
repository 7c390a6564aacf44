import Foundation
import TestSupport
import Testing

/// Big Buck Bunny before a PipeWire camera and speech before a PulseAudio microphone, as a person would record them.
@Suite(.timeLimit(.minutes(25)), .alone, .requiresPulseAudio, .requiresPipeWire) struct BunnyTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        var name: String
        var options: [String]
        var video: String
        var audio: String
        var tag: String
        var testDescription: String { name }
    }

    private static let kinds = [
        Kind(name: "bunny.mp4", options: ["--codec", "hevc"], video: "hevc", audio: "aac", tag: "hvc1"),
        Kind(
            name: "bunny.mov", options: ["--codec", "prores", "--profile", "hq"], video: "prores", audio: "pcm_s16le",
            tag: "apch"),
    ]

    @Test(arguments: kinds) func `frame and speech are those before the camera and the microphone`(kind: Kind)
        async throws
    {
        let servers = try await Servers.start(.pipeWire, .pulseAudio)
        let folder = try TemporaryFolder()
        let speech = try await speak(in: folder)
        let camera = try await servers.plugInCamera(
            "bunny", "Big Buck Bunny", "--clip", Checkout.clip, "--size", "854x480", "--rate", "24")
        let microphone = try await servers.plugInMicrophone("talk", "Speaker", "--sound", speech)
        let file = folder.file(kind.name)
        var (text, heard): (String, Speech?) = ("", nil)
        // The microphone is a program: where the machine holds it up again and again, it is late itself.
        for _ in 1...3 where heard?.isWhole != true {
            let result = try await BuiltCommand.rushes.run(
                [
                    "record", "--camera", "big buck", "--microphone", "speak", "--progress", "none", "--json",
                    "--overwrite", "--duration", "6",
                ]
                    + kind.options + [kind.name], servers: servers, limit: .seconds(120), folder: folder.path)
            #expect(result.status == 0, "\(result)")
            Quiet.expect(result.errors)
            (text, heard) = (result.text, try await self.speech(in: file, of: speech))
        }
        try await camera.unplug()
        try await microphone.unplug()

        let last = try #require(try Event.all(text).last)
        let dropped = last.state.framesDropped ?? 0
        try await Judges.expect(
            file, .init(video: kind.video, audio: kind.audio, frames: nil, seconds: 6, size: (854, 480)))
        let stream = try #require(try await FFProbe.inspect(file).video.first)
        #expect(stream.codecTagString == kind.tag)
        let packets = try await FFProbe.packets("v:0", of: file)
        // Where the machine is busy the camera itself leaves frames out: they are counted too. The last one's place may lie on
        // either side of the end.
        #expect((143...145).contains(packets.count + dropped), "\(packets.count) frames, \(dropped) dropped")
        #expect(packets.count == last.state.framesWritten)
        #expect(heard?.isWhole == true, "\(String(describing: heard))")
        try await expectBunny(file, in: folder)
    }

    /// How pieces of recorded audio lie in what was spoken.
    private struct Speech {
        /// From 0 to 1, in order.
        var similarities: [Double]
        /// In sixteenths of a millisecond behind the piece's own place in the recording.
        var places: [Int]

        /// Whether each is as much further on as the recording is.
        var isWhole: Bool {
            // They agree within 5 ms; a silent or repeated piece may be found elsewhere.
            let middle = places.sorted()[places.count / 2]
            return similarities[similarities.count / 2] > 0.95
                && places.count { abs($0 - middle) <= 80 } >= places.count - 2
        }
    }

    private func speech(in file: String, of speech: String) async throws -> Speech {
        // Short pieces: the microphone's clock is followed within a millisecond or two, several waves of what is high in a
        // voice, so long ones would not lie over each other everywhere.
        let rate = 16000
        let spoken = try await FFmpeg.audio(of: speech, rate: rate)
        let received = try await FFmpeg.audio(of: file, rate: rate)
        var matches: [AudioMatch] = []
        var places: [Int] = []
        for second in stride(from: 0.2, through: 5.6, by: 0.6) {
            let begin = Int(second * Double(rate))
            let match = AudioMatch(of: Array(received[begin..<begin + rate / 5]), in: spoken + spoken.prefix(rate / 2))
            matches.append(match)
            places.append(((match.offset - begin) % spoken.count + spoken.count) % spoken.count)
        }
        return Speech(similarities: matches.map(\.correlation).sorted(), places: places)
    }

    /// A frame of the middle looks like one of the clip's.
    private func expectBunny(_ file: String, in folder: TemporaryFolder) async throws {
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-ss", "3", "-i", file, "-frames:v", "1", folder.file("frame.png")])
        let scores = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "info", "-i", Checkout.clip, "-loop", "1", "-i", folder.file("frame.png"), "-lavfi",
                "[0:v]scale=854:480,format=yuv420p[a];[1:v]format=yuv420p[b];[a][b]ssim=shortest=1:stats_file=-", "-f",
                "null", "-",
            ])
        let best = scores.text.matches(of: #/All:([\d.]+)/#).compactMap { Double($0.1) }.max() ?? 0
        #expect(best > 0.85, "\(best)")
    }

    private func speak(in folder: TemporaryFolder) async throws -> String {
        let file = folder.file("speech.wav")
        _ = try await Tool.succeed(
            "espeak-ng",
            [
                "-w", file,
                "The quick brown fox jumps over the lazy dog. Seven bright lamps hang above the old harbour wall.",
            ])
        return file
    }
}
