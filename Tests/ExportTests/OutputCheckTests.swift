import Encoding
import Errors
import Foundation
import GStreamer
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// What the check of an output finds at a glance.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct OutputCheckTests {
    @Test func `a movie that does not begin with a key frame is damaged, unless its input does not`() async throws {
        let movie = try await MadeMovie("take.mp4", "-c:v libx264 -preset ultrafast -g 12 -bf 0 -an", seconds: 1)
        // Behind version, flags and the count the first key frame's number, which is 1.
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        let place = try #require(bytes.firstRange(of: Data("stss".utf8))).upperBound + 8
        #expect(bytes[place..<place + 4].elementsEqual([0, 0, 0, 1]))
        bytes[place + 3] = 2
        let later = movie.folder.file("later.mp4")
        try bytes.write(to: URL(filePath: later))
        for (path, demands, isGood) in [(movie.path, true, true), (later, true, false), (later, false, true)] {
            var expected = OutputCheck.Expected(duration: .second)
            (expected.frames, expected.areBytesCopied, expected.beginsWithKeyFrame) = (25, true, demands)
            let check = OutputCheck(path: FilePath(path), expected: expected, level: .quick, status: ExportStatus())
            if isGood {
                try await check.run()
            } else {
                let error = await #expect(throws: RushesError.self) { try await check.run() }
                #expect(error?.description.contains("it does not begin with a key frame") == true, "\(error as Any)")
            }
        }
    }

    private func check(_ path: String, frames: Int, areCopied: Bool) async throws {
        var expected = OutputCheck.Expected(duration: .second)
        (expected.frames, expected.areFramesCopied) = (frames, areCopied)
        try await OutputCheck(path: FilePath(path), expected: expected, level: .quick, status: ExportStatus()).run()
    }

    /// GStreamer has no decoder for them.
    @Test func `copied frames that nothing here decodes are counted`() async throws {
        let movie = try await MadeMovie("take.mkv", "-c:v magicyuv -an", seconds: 1)
        try await check(movie.path, frames: 25, areCopied: true)
        for (frames, areCopied) in [(26, true), (25, false)] {
            await #expect(throws: RushesError.self) {
                try await check(movie.path, frames: frames, areCopied: areCopied)
            }
        }
    }

    /// What went on the way may have damaged them.
    @Test func `copied frames that a decoder fails at are damaged`() async throws {
        let movie = try await MadeMovie("take.mp4", "-c:v libx264 -preset ultrafast -an", seconds: 1)
        try await check(movie.path, frames: 25, areCopied: true)
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        let begin = try #require(bytes.firstRange(of: Data("mdat".utf8))).upperBound
        let end = try #require(bytes.firstRange(of: Data("moov".utf8), in: begin..<bytes.endIndex)).lowerBound - 4
        bytes.replaceSubrange(begin..<end, with: Data(repeating: 0x55, count: end - begin))
        try bytes.write(to: URL(filePath: movie.path))
        await #expect(throws: RushesError.self) { try await check(movie.path, frames: 25, areCopied: true) }
    }
}
