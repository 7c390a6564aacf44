import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Audio in Ogg whose pages say something else of where they end than their samples do.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct OggPositionTests {
    /// A file with other positions of its pages, from the first with audio on.
    ///
    /// - Parameter change: what a page tells, and its number, from 0 on.
    private func file(
        _ path: String, to other: String, _ change: (UInt64, Int) -> UInt64
    ) throws {
        let bytes = try Data(contentsOf: URL(filePath: path))
        var starts: [Int] = []
        while let next = bytes.range(of: Data("OggS".utf8), in: (starts.last.map { $0 + 4 } ?? 0)..<bytes.count) {
            starts.append(next.lowerBound)
        }
        try #require(starts.count > 4)
        var new = Data()
        for (number, range) in zip(starts, starts.dropFirst() + [bytes.count]).enumerated() {
            var page = Data(bytes[range.0..<range.1])
            let told = page[6..<14].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            if number >= 2, told > 0 {
                let changed = change(told, number - 2)
                page.replaceSubrange(6..<14, with: (0..<8).map { UInt8(truncatingIfNeeded: changed >> (8 * $0)) })
                page.replaceSubrange(22..<26, with: Data(count: 4))
                let sum = checksum(page)
                page.replaceSubrange(22..<26, with: (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) })
            }
            new += page
        }
        try new.write(to: URL(filePath: other))
    }

    /// The checksum of a page (RFC 3533, section 6): the polynomial 0x04C11DB7 from the highest bit on.
    private func checksum(_ page: Data) -> UInt32 {
        page.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum & 1 << 31 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
            }
        }
    }

    private func export(_ input: String, to output: String, _ preset: String = "h264") async throws -> ExportResult {
        var settings = ExportSettings(preset: preset)
        if preset != "copy" { settings.audio = .codec(.pcm) }
        return try await ExportSession(input: FilePath(input), settings: settings)
            .export(to: MovieDestination(FilePath(output)))
    }

    @Test func `FLAC in Ogg is whole where an editor of tags left no positions in its first pages`() async throws {
        let movie = try await MadeMovie("in.oga", "-vn -c:a flac", seconds: 3)
        let input = movie.folder.file("edited.oga")
        try file(movie.path, to: input) { $1 == 0 ? 0 : $0 }
        let wanted = try await FFmpeg.audio(of: input, rate: 48_000)
        #expect(try await FFmpeg.audio(of: movie.path, rate: 48_000) == wanted && wanted.count == 144_000)
        _ = try await export(input, to: movie.folder.file("out.wav"))
        #expect(try await FFmpeg.audio(of: movie.folder.file("out.wav"), rate: 48_000) == wanted)
        _ = try await export(input, to: movie.folder.file("out.flac"), "copy")
        #expect(try await FFmpeg.audio(of: movie.folder.file("out.flac"), rate: 48_000) == wanted)
        // Cut off within a page, it is what there is, or refused.
        let cut = movie.folder.file("cut.oga")
        let bytes = try Data(contentsOf: URL(filePath: input))
        try bytes.prefix(bytes.count * 3 / 5).write(to: URL(filePath: cut))
        _ = try? await export(cut, to: movie.folder.file("cut.wav"))
    }

    @Test(arguments: ["flac", "libopus", "libvorbis", "libspeex"])
    func `Audio in Ogg is whole whose pages say that they end too early, too often, or from 0 on again`(
        codec: String
    ) async throws {
        let movie = try await MadeMovie("in.ogg", "-vn -c:a \(codec) -page_duration 200000", seconds: 3)
        let whole = movie.folder.file("whole.wav")
        _ = try await export(movie.path, to: whole)
        let wanted = try await FFmpeg.audio(of: whole, rate: 48_000)
        let changes: [(UInt64, Int) -> UInt64] = [
            { told, _ in told / 4 }, { _, _ in 960 }, { told, number in number < 6 ? told : UInt64(number - 5) * 960 },
        ]
        for (number, change) in changes.enumerated() {
            let (input, output) = (movie.folder.file("\(number).ogg"), movie.folder.file("\(number).wav"))
            try file(movie.path, to: input, change)
            let result = try await export(input, to: output)
            let audio = try await FFmpeg.audio(of: output, rate: 48_000)
            // What filled up the last block is not cut off.
            #expect((wanted.count...wanted.count + 2000).contains(audio.count), "\(number): \(result.notes)")
            #expect(zip(audio, wanted).reduce(0) { max($0, abs($1.0 - $1.1)) } < 0.001, "\(number)")
            // Matroska has no place for Speex.
            guard codec != "libspeex" else { continue }
            _ = try await export(input, to: movie.folder.file("\(number).mka"), "copy")
            let copied = try await FFmpeg.audio(of: movie.folder.file("\(number).mka"), rate: 48_000)
            #expect(copied.count > wanted.count - 1000, "\(number)")
        }
    }
}
