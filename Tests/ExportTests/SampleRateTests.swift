import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Audio that gets another sample rate, or another number of bits.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg"))
struct SampleRateTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// - Returns: its result, and the audio by ffprobe: "pcm_s16le 44100".
    private func export(
        _ input: String, to name: String, _ change: (inout ExportSettings) -> Void
    ) async throws -> (result: ExportResult, audio: String, bits: Int?) {
        var settings = ExportSettings(preset: "h264")
        change(&settings)
        let result = try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
        let audio = try #require(try await FFProbe.inspect(folder.file(name)).audio.first)
        let bits = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "a", "-of", "csv=p=0", "-show_entries"]
                + ["stream=bits_per_raw_sample,bits_per_sample", folder.file(name)]
        ).text.split { ",\n".contains($0) }.compactMap { Int($0) }.max()
        return (result, "\(audio.codecName ?? "") \(Int(audio.sampleRate?.value ?? 0))", bits)
    }

    @Test(arguments: [
        ("out.wav", AudioCodec.pcm, 16, "pcm_s16le 48000"), ("out.wav", .pcm, 24, "pcm_s24le 48000"),
        ("out.flac", .flac, 16, "flac 48000"), ("out.flac", .flac, 24, "flac 48000"),
        ("out.mov", .pcm, 16, "pcm_s16le 48000"), ("out.m4a", .alac, 16, "alac 48000"),
        ("out.mov", .alac, 16, "alac 48000"), ("out.mov", .alac, 24, "alac 48000"),
        ("out.mp4", .alac, 24, "alac 48000"),
    ])
    func `bits and rate are those that were asked for`(
        name: String, codec: AudioCodec, bits: Int, told: String
    ) async throws {
        try await make("in.mov", "\(Self.fast) -c:a pcm_s24le")
        let (result, audio, found) = try await export("in.mov", to: name) {
            $0.audio = .codec(codec)
            ($0.audioBitDepth, $0.sampleRate) = (bits, 48000)
        }
        #expect(audio == told && found == bits, "\(result.notes)")
        #expect(abs(Double(try await decoded(name).audio) - 3 * 48000) < 64)
    }

    @Test func `a copied movie's audio gets another rate, and what fits already is copied`() async throws {
        try await make("in.mp4", "\(Self.fast) -c:a aac")
        let (result, audio, _) = try await export("in.mp4", to: "out.mp4") {
            ($0.preset, $0.sampleRate) = ("copy", 32000)
        }
        #expect(audio == "aac 32000" && result.frames == 90)
        #expect(result.notes.contains { $0.contains("H.264 is copied as it is") }, "\(result.notes)")
        let same = try await export("in.mp4", to: "same.mp4") { $0.sampleRate = 44100 }
        #expect(same.audio == "aac 44100")
        #expect(same.result.notes.contains { $0.contains("AAC is copied as it is") }, "\(same.result.notes)")
    }

    @Test func `a rate that the codec lacks is told`() async throws {
        try await make("in.mov", "\(Self.fast) -c:a pcm_s16le")
        let (result, audio, _) = try await export("in.mov", to: "out.mkv") {
            ($0.audio, $0.sampleRate) = (.codec(.opus), 44100)
        }
        #expect(audio == "opus 48000")
        #expect(result.notes.contains { $0.contains("Opus has no 44100 samples a second here") }, "\(result.notes)")
    }

    @Test(
        arguments: [
            (
                "out.mp4", "AAC has no bits a sample",
                { @Sendable (settings: inout ExportSettings) in settings.audioBitDepth = 16 }
            ),
            ("out.mkv", "it is 16 or 24", { ($0.audio, $0.audioBitDepth) = (.codec(.flac), 20) }),
            ("out.mp4", "it is from 8000 to 192000", { $0.sampleRate = 1 }),
            ("out.mp4", "keeps its sample rate", { ($0.audio, $0.sampleRate) = (.copy, 48000) }),
            ("out.gif", "holds frames of 256 colors and nothing else", { ($0.preset, $0.sampleRate) = ("gif", 48000) }),
        ] as [(String, String, @Sendable (inout ExportSettings) -> Void)])
    func `what cannot be is refused`(
        name: String, words: String, change: @Sendable (inout ExportSettings) -> Void
    ) async throws {
        try await make("in.mov", "\(Self.fast) -c:a aac")
        let error = await #expect(throws: RushesError.self) {
            _ = try await export("in.mov", to: name, change)
        }
        #expect(error.map { "\($0)".contains(words) } == true, "\(String(describing: error))")
        #expect(folder.contents == ["in.mov"])
    }
}
