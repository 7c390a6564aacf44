import Foundation
import TestSupport
import Testing

/// `--gain`, `--mute`, `--channels` and `--audio`, measured; `--audio-delay` is in SynchronisationTests.
@Suite(.timeLimit(.minutes(25)), .turn) struct AudioOptionTests {
    private func level(_ options: String...) async throws -> Double {
        let folder = try TemporaryFolder()
        let file = try await Takes.record(
            "take.mov", in: folder, ["--duration", "1", "--codec", "mjpeg", "--audio", "pcm"] + options)
        return ToneAnalysis(try await FFmpeg.audio(of: file, rate: 48000, channel: 0), rate: 48000).level
    }

    @Test func `--gain makes the audio as much louder or softer as it says`() async throws {
        let plain = try await level("--microphone", "test:frequency=1000,volume=0.1")
        let louder = try await level("--microphone", "test:frequency=1000,volume=0.1", "--gain", "6")
        let softer = try await level("--microphone", "test:frequency=1000,volume=0.1", "--gain=-20")
        #expect(abs(20 * log10(louder / plain) - 6) < 0.1)
        #expect(abs(20 * log10(softer / plain) + 20) < 0.1)
    }

    @Test func `no take begins in silence, or has a hole`() async throws {
        for _ in 0..<5 {
            let folder = try TemporaryFolder()
            let file = try await Takes.record(
                "take.mov", in: folder, ["--duration", "0.4", "--codec", "mjpeg", "--audio", "pcm"])
            let tone = ToneAnalysis(try await FFmpeg.audio(of: file, rate: 48000, channel: 0), rate: 48000)
            #expect(tone.longestSilence < 0.001)
        }
    }

    @Test func `--gain that is too much is cut, not wrapped round`() async throws {
        let folder = try TemporaryFolder()
        let file = try await Takes.record(
            "take.mov", in: folder,
            [
                "--microphone", "test:frequency=440", "--duration", "1", "--codec", "mjpeg", "--audio", "pcm", "--gain",
                "40",
            ])
        let audio = try await FFmpeg.audio(of: file, rate: 48000, channel: 0)
        #expect(abs(ToneAnalysis(audio, rate: 48000).frequency - 440) < 2)
        #expect((audio.map(abs).max() ?? 0) > 0.99)
    }

    @Test func `--mute records silence, as long as the frame`() async throws {
        // What is left is the dither of 16 bit.
        #expect(try await level("--mute") < 0.0001)
    }

    @Test(arguments: [1, 2, 6]) func `--channels is what the file has`(channels: Int) async throws {
        let folder = try TemporaryFolder()
        for (file, audio) in [
            ("a.mov", "aac"), ("b.mkv", "flac"), ("c.mkv", "opus"), ("d.mkv", "pcm"), ("e.mov", "pcm"),
        ] {
            let path = try await Takes.record(
                file, in: folder,
                ["--duration", "0.5", "--codec", "mjpeg", "--audio", audio, "--channels", "\(channels)"])
            let stream = try #require(try await FFProbe.inspect(path).audio.first)
            #expect(stream.channels == channels)
            #expect(stream.sampleRate?.value == 48000)
            try await Judges.expectDecodes(path)
            // Matroska has no field that says which speakers PCM is for.
            if channels == 6, file != "d.mkv" {
                #expect(["5.1", "5.1(side)"].contains(stream.channelLayout), "\(file)")
            }
        }
    }
}
