import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// Texts and places of audio files that GStreamer passes over.
@Suite(.requires(tool: "ffmpeg", package: "ffmpeg")) struct ForeignTextTests {
    @Test func `AIFF's chunks of text are read, and nothing else is taken for one`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("in.aiff")
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=0.1", "-write_id3v2", "0", "-metadata",
                "title=Odd",
            ]
                + ["-metadata", "comment=Übung", "-metadata", "copyright=2026", "-metadata", "author=Ann", path])
        let read = try #require(try AIFFTags(reading: FilePath(path))).metadata
        #expect(read.title == "Odd" && read.comment == "Übung" && read.copyright == "2026" && read.artist == "Ann")
        try Data("FORM0000WAVENAME".utf8).write(to: URL(filePath: path))
        #expect(try AIFFTags(reading: FilePath(path)) == nil)
        try Data("FORM0000AIFFNAME".utf8 + [0xFF, 0xFF, 0xFF, 0xFF]).write(to: URL(filePath: path))
        #expect(try AIFFTags(reading: FilePath(path))?.metadata == MovieMetadata())
    }

    @Test func `the tracks of a CD in FLAC are its chapters`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("in.flac")
        // 44,100 Hz, two channels of 16 bits; then two tracks and where the last one ends, one index each.
        let stream = [UInt8](repeating: 0, count: 10) + [0x0A, 0xC4, 0x42, 0xF0] + [UInt8](repeating: 0, count: 20)
        func track(_ number: UInt8, at offset: UInt64) -> [UInt8] {
            withUnsafeBytes(of: offset.bigEndian) { Array($0) } + [number] + [UInt8](repeating: 0, count: 26) + [1]
                + [UInt8](repeating: 0, count: 12)
        }
        let sheet =
            [UInt8](repeating: 0, count: 395) + [3] + track(1, at: 0) + track(2, at: 88_200) + track(170, at: 176_400)
        func block(_ type: UInt8, _ bytes: [UInt8]) -> [UInt8] {
            [type, 0, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
        }
        try Data("fLaC".utf8 + block(0, stream) + block(0x85, sheet)).write(to: URL(filePath: path))
        let chapters = try FLACCueSheet.read(FilePath(path))
        #expect(chapters.map(\.start.seconds) == [0, 2] && chapters.map(\.title) == ["Track 1", "Track 2"])
        try Data("fLaC".utf8 + block(0, stream) + block(0x85, Array(sheet.prefix(420)))).write(to: URL(filePath: path))
        #expect(try FLACCueSheet.read(FilePath(path)).isEmpty)
    }
}
