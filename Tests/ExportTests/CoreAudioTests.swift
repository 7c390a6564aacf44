import Encoding
import Errors
import Export
import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Core Audio files, read as ffmpeg reads them.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct CoreAudioTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ options: String, rate: Int = 44_100) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                "aevalsrc=sin(2*PI*(200+150*t)*t)*0.4|sin(2*PI*300*t)*0.3:s=\(rate):d=1.3",
            ] + Tool.words(options) + [folder.file(name)])
    }

    private func export(_ input: String, _ preset: String, to output: String) async throws -> ExportResult {
        var settings = ExportSettings(preset: preset)
        if output.hasSuffix("mov"), preset != "copy" { settings.audio = .codec(.pcm) }
        return try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(output))))
    }

    @Test(
        arguments: Cases.taken(
            of: [
                ("pcm_s16be", 44_100), ("pcm_s24le", 96_000), ("pcm_f32le", 48_000), ("pcm_s8", 22_050),
                ("alac", 44_100),
                ("adpcm_ima_qt", 44_100), ("pcm_mulaw", 8000), ("pcm_alaw", 8000), ("libopus", 48_000),
            ], most: 3))
    func `audio comes from its first sample to its last, encoded and copied`(codec: String, rate: Int) async throws {
        try await make("in.caf", "-c:a \(codec) -metadata title=Night", rate: rate)
        let wanted = try await FFmpeg.audio(of: folder.file("in.caf"), rate: rate)
        #expect(wanted.count >= rate * 13 / 10)
        // QuickTime has no place for Opus.
        let copy = codec == "libopus" ? "copy.mp4" : "copy.mov"
        let copies = codec == "alac" ? [copy, "copy.mkv"] : [copy]
        for (preset, output) in [("h264", "out.wav")] + copies.map({ ("copy", $0) }) {
            let result = try await export("in.caf", preset, to: output)
            let audio = try await FFmpeg.audio(of: folder.file(output), rate: rate)
            #expect(audio.count == wanted.count, "\(output): \(result.notes)")
            // libopus decodes a little otherwise than ffmpeg.
            let tolerance: Float = codec == "libopus" ? 0.02 : 0.001
            #expect(zip(audio, wanted).allSatisfy { abs($0 - $1) < tolerance }, "\(output)")
        }
        let info = try MovieInfo(contentsOf: FilePath(folder.file("in.caf")))
        #expect(info.container == "caf" && info.title == "Night" && info.complete)
        let report = try await FFProbe.inspect(folder.file("in.caf"))
        #expect(info.audio.first?.codec == report.audio.first?.codecName)
        #expect(info.audio.first?.channels == 2 && info.audio.first?.sampleRate == rate)
        #expect(try MovieInfo(contentsOf: FilePath(folder.file(copy))).title == "Night")
    }

    /// ffmpeg reads such a file and writes none: the packets of an MP4, and what their decoder needs.
    @Test func `AAC lasts as long as the file says, without what primes the decoder`() async throws {
        try await make("in.m4a", "-c:a aac")
        let movie = try Data(contentsOf: URL(filePath: folder.file("in.m4a")))
        let sizes = try await Tool.succeed(
            "ffprobe", ["-v", "error", "-show_entries", "packet=size", "-of", "csv=p=0", folder.file("in.m4a")]
        ).text.split { !$0.isNumber }.compactMap { UInt32($0) }
        func bytes<Value: FixedWidthInteger>(_ values: Value...) -> Data {
            values.reduce(into: Data()) { data, value in
                withUnsafeBytes(of: value.bigEndian) { data.append(contentsOf: $0) }
            }
        }
        func chunk(_ name: String, _ content: Data) -> Data { Data(name.utf8) + bytes(Int64(content.count)) + content }
        let (valid, priming) = (44_100 * 13 / 10, 1024)
        let descriptor = try #require(movie.range(of: Data("esds".utf8)))
        // Behind the box's version and flags, to its end.
        let length = movie[(descriptor.lowerBound - 4)...].prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let cookie = movie[(descriptor.upperBound + 4)..<(descriptor.lowerBound - 4 + length)]
        let start = try #require(movie.range(of: Data("mdat".utf8))).upperBound
        let table = sizes.reduce(into: Data()) { $0.append(contentsOf: [UInt8($1 >> 7) | 0x80, UInt8($1 & 0x7F)]) }
        let file =
            Data("caff".utf8) + bytes(UInt16(1), UInt16(0))
            + chunk("desc", bytes(44_100.0.bitPattern) + Data("aac ".utf8) + bytes(UInt32(2), 0, 1024, 2, 0))
            + chunk("kuki", Data(cookie))
            + chunk(
                "pakt",
                bytes(Int64(sizes.count), Int64(valid))
                    + bytes(Int32(priming), Int32(sizes.count * 1024 - valid - priming)) + table)
            + chunk("data", bytes(UInt32(0)) + movie[start...].prefix(Int(sizes.reduce(0, +))))
        try file.write(to: URL(filePath: folder.file("in.caf")))
        _ = try await export("in.caf", "h264", to: "out.wav")
        let audio = try await FFmpeg.audio(of: folder.file("out.wav"), rate: 44_100)
        let wanted = try await FFmpeg.audio(of: folder.file("in.m4a"), rate: 44_100)
        #expect(audio.count == valid)
        #expect(zip(audio, wanted).allSatisfy { abs($0 - $1) < 0.001 })
    }

    /// A recorder that was killed has not written yet how long it became.
    @Test func `a file that does not know its length is read to its end`() async throws {
        try await make("in.caf", "-c:a pcm_s16le")
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.caf")))
        let length = try #require(bytes.range(of: Data("data".utf8))).upperBound
        bytes.replaceSubrange(length..<length + 8, with: Data(repeating: 0xFF, count: 8))
        try bytes.write(to: URL(filePath: folder.file("open.caf")))
        _ = try await export("open.caf", "h264", to: "out.wav")
        let wanted = try await FFmpeg.audio(of: folder.file("in.caf"), rate: 44_100)
        #expect(try await FFmpeg.audio(of: folder.file("out.wav"), rate: 44_100).count == wanted.count)
    }
}
