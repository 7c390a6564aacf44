import Encoding
import Export
import Foundation
import GStreamer
import MovieFiles
import SystemPackage
import TestSupport
import Testing
import Threads

/// PCM keeps all that it is, as audio that is read and as what is written.
@Suite(.serialized, .timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg"))
struct WholePCMTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `an AIFF of some milliseconds is read each time`() async throws {
        try await make("in.aif", "-map 1:a -t 0.1 -ar 8000 -c:a pcm_s16be")
        for attempt in 0..<10 {
            let name = "out\(attempt).m4a"
            var settings = ExportSettings()
            settings.audio = .codec(.aac)
            _ = try await ExportSession(input: FilePath(folder.file("in.aif")), settings: settings)
                .export(to: MovieDestination(FilePath(folder.file(name))))
            #expect(try await decoded(name).audio > 700)
        }
    }

    @Test(arguments: ["mov", "mkv"]) func `24 bits a sample stay 24 as PCM`(ending: String) async throws {
        // Unlike a tone made in 16 bits, noise has all of its bits.
        try await make("in.mkv", "\(Self.fast) -af aeval=random(0)-0.5:c=stereo -ar 96000 -c:a pcm_s24le")
        let lines = try await export("in.mkv", to: "out.\(ending)", audio: .codec(.pcm)).notes
        #expect(lines.allSatisfy { !$0.contains("bits a sample") })
        let report = try await FFProbe.inspect(folder.file("out.\(ending)"))
        #expect(report.audio.first?.codecName == "pcm_s24le")
        #expect(try await samples("out.\(ending)") == samples("in.mkv"))
    }

    @Test func `what PCM of 48 kHz and 24 bits is called is QuickTime's word for it`() async throws {
        try await make("in.wav", "-vn -ar 48000 -c:a pcm_s24le")
        _ = try await export("in.wav", audio: .codec(.pcm))
        let report = try await FFProbe.inspect(folder.file("out.mov"))
        #expect(report.audio.first?.codecTagString == "in24" && report.audio.first?.codecName == "pcm_s24le")
        #expect(try await samples("out.mov") == samples("in.wav"))
    }

    /// All of the audio in 32 bits.
    private func samples(_ name: String) async throws -> Data {
        try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file(name), "-map", "0:a:0", "-f", "s32le", "-"]
        ).output
    }

    /// In WAV low bytes come first, and bytes by themselves have no sign; nothing is lost by bringing others to that.
    @Test(arguments: [
        ("in.aif", "pcm_s16be"), ("in.mov", "pcm_s24be"), ("in.aif", "pcm_s8"), ("in.mov", "pcm_f32be"),
        ("in.wav", "pcm_u8"), ("in.wav", "pcm_f64le"),
    ])
    func `PCM of any order of bytes is copied into WAV to the bit`(input: String, codec: String) async throws {
        try await make(input, "-map 1:a -c:a \(codec)")
        _ = try await export(input, to: "out.wav", "copy")
        let copied = try await FFProbe.inspect(folder.file("out.wav")).audio.first?.codecName
        let wanted = codec == "pcm_s8" ? "pcm_u8" : codec.replacing("be", with: "le")
        #expect(copied == wanted)
        let whole = try await samples(input)
        #expect(!whole.isEmpty)
        #expect(try await samples("out.wav") == whole)
    }

    @Test(arguments: ["out.mov", "out.mp4"], ["pcm_s16le", "pcm_s24le"]) func `ALAC beside video has all samples`(
        name: String, codec: String
    ) async throws {
        try await make("in.mov", "-c:v libx264 -preset ultrafast -c:a \(codec)")
        _ = try await export("in.mov", to: name, audio: .codec(.alac))
        let written = try await FFProbe.inspect(folder.file(name))
        #expect(written.audio.first?.codecName == "alac" && written.video.count == 1)
        #expect(try await samples(name) == samples("in.mov"))
    }

    /// GStreamer's decoder (1.22) gives nothing of it.
    @Test func `ALAC of a single packet is no damage`() async throws {
        try await make("in.wav", "-map 1:a -ar 8000 -t 0.2 -c:a pcm_s16le")
        _ = try await export("in.wav", to: "out.m4a", audio: .codec(.alac))
        #expect(try await decoded("out.m4a").audio == 1600)
    }

    @Test(arguments: [30_001, 30_002]) func `WAV of an odd number of bytes is read and written`(count: Int) async throws
    {
        try await make("in.wav", "-map 1:a -af atrim=end_sample=\(count) -c:a pcm_s24le -bitexact")
        _ = try await export("in.wav", to: "out.wav", audio: .codec(.pcm))
        #expect(try await samples("out.wav") == samples("in.wav"))
        _ = try await export("out.wav", to: "out.flac")
        #expect(try await samples("out.flac") == samples("in.wav"))
        #expect(try await decoded("out.flac").audio == count)
        // As any reader of GStreamer's finds it.
        let path = folder.file("out.wav")
        let told = try await onOwnThread("discover") { try DiscoveredMedia(uri: "file://" + path).duration }
        #expect(abs((told?.seconds ?? 0) - Double(count) / 44_100) < 0.001)
    }

    /// WAVE's extensible format, as recorders of several channels write it for two as well.
    @Test(arguments: ["alaw", "mulaw"], ["mov", "mkv"]) func `companded audio in extensible WAV is copied`(
        codec: String, ending: String
    ) async throws {
        try await make("plain.wav", "-map 1:a -ar 8000 -ac 2 -c:a pcm_\(codec) -bitexact")
        let bytes = try Data(contentsOf: URL(filePath: folder.file("plain.wav")))
        let begin = try #require(bytes.firstRange(of: Data("data".utf8))).lowerBound
        let code: UInt8 = codec == "alaw" ? 6 : 7
        let format =
            Data([0xFE, 0xFF]) + bytes[22..<36] + Data([22, 0, 8, 0, 3, 0, 0, 0, code, 0, 0, 0, 0, 0, 16, 0])
            + Data([0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
        let chunks = Data("WAVEfmt ".utf8) + Data([40, 0, 0, 0]) + format + bytes[begin...]
        let size = Data((0..<4).map { UInt8(truncatingIfNeeded: chunks.count >> (8 * $0)) })
        try (Data("RIFF".utf8) + size + chunks).write(to: URL(filePath: folder.file("in.wav")))
        #expect(try await samples("in.wav") == samples("plain.wav"))
        let result = try await export("in.wav", to: "out.\(ending)", "copy")
        #expect(result.notes.allSatisfy { $0.contains("is copied as it is") }, "\(result.notes)")
        #expect(try await samples("out.\(ending)") == samples("in.wav"))
    }

    @Test func `audio of more bits than PCM is written with here is told`() async throws {
        try await make("in.mkv", "\(Self.fast) -c:a pcm_f32le")
        let lines = try await export("in.mkv", audio: .codec(.pcm)).notes
        #expect(lines.contains { $0.contains("32 bits a sample become 24") })
        try await make("lossy.mkv", "\(Self.fast) -c:a aac")
        #expect(
            try await export("lossy.mkv", to: "lossy.mov", audio: .codec(.pcm)).notes.allSatisfy {
                !$0.contains("bits a sample")
            })
    }

    @Test(arguments: [96_000, 192_000])
    func `PCM of high rates keeps rate and length in QuickTime`(rate: Int) async throws {
        try await make("in.mkv", "\(Self.fast) -c:a pcm_s24le -ar \(rate)")
        _ = try await export("in.mkv", audio: .codec(.pcm))
        let audio = try #require(try await FFProbe.inspect(folder.file("out.mov")).audio.first)
        #expect(audio.sampleRate?.value == Double(rate))
        #expect(try await decoded("out.mov").audio == 3 * rate)
        let info = try MovieInfo(contentsOf: FilePath(folder.file("out.mov")))
        #expect(info.audio.first?.sampleRate == rate)
    }

    @Test func `PCM of high rates is read whole from the QuickTime files of others`() async throws {
        try await make("in.mov", "\(Self.fast) -c:a pcm_s24le -ar 96000")
        _ = try await export("in.mov", to: "out.mkv", audio: .codec(.pcm))
        #expect(try await decoded("out.mkv").audio == 3 * 96_000)
    }

    @Test func `IMA ADPCM of a WAV file whose head states twice its rate is read to its end`() async throws {
        try await make("in.wav", "-map 1:a -c:a adpcm_ima_wav")
        _ = try await export("in.wav", audio: .codec(.pcm))
        let (theirs, ours) = (try await decoded("in.wav"), try await decoded("out.mov"))
        #expect(ours.audio == theirs.audio)
    }
}
