import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("A part of a movie")
struct MoviePartTests {
    static let parts: [Range<Double>] = [0.5..<1.4, 1.34..<99]

    @Test(
        "shows the frames of that part at their times, and plays the audio",
        arguments: [CopyInput.aac, .hdr, .variable, .pcm, .offset], parts)
    func frames(_ input: CopyInput, _ part: Range<Double>) async throws {
        let original = try await input.url()
        let (url, copy) = try MovieCopy.copied(original, .init(timeRange: .seconds(part.lowerBound, part.upperBound)))
        try await Judge.decodesWithoutAWord(url)
        let all = try await Judge.shownFrames(original)
        // Also the one that is under way when the part begins.
        let first = all.last { $0.time <= part.lowerBound + 0.00001 }?.time ?? 0
        let expected = all.filter { $0.time >= first && $0.time < part.upperBound - 0.0005 }
        let shown = try await Judge.shownFrames(url)
        #expect(shown.map(\.checksum) == expected.map(\.checksum))
        for (frame, wanted) in zip(shown, expected) {
            // The movie's clock counts milliseconds.
            #expect(abs(frame.time - max(0, wanted.time - part.lowerBound)) < 0.0021)
        }
        let end = min(part.upperBound, try MovieInfo(contentsOf: FilePath(original.path)).duration.seconds)
        #expect(abs(copy.duration.seconds - (end - part.lowerBound)) < 0.0021)
        #expect(copy.firstFrameTime.seconds <= part.lowerBound && copy.firstFrameTime.seconds > part.lowerBound - 1.5)
        let probe = try await Judge.ffprobe(url)
        #expect(abs((probe.audio?.length ?? .nan) - (probe.video?.length ?? .nan)) < 0.45)
    }

    /// Without edits, frames are shown as much later as they are reordered.
    @Test("ends with the last frame of a movie without edits")
    func unedited() async throws {
        let original = try await CopyInput.unedited.url()
        let all = try await Judge.shownFrames(original)
        let (url, copy) = try MovieCopy.copied(original, .init(timeRange: .seconds(1, 99)))
        let shown = try await Judge.shownFrames(url)
        #expect(all.count == 60 && shown.map(\.checksum) == all.suffix(shown.count).map(\.checksum))
        let end = (all.last?.time ?? .nan) + 1001 / 30_000
        #expect(abs(copy.duration.seconds - (end - 1)) < 0.0021)
    }

    @Test("begins with the sync sample that its first frame needs", arguments: [CopyInput.aac])
    func syncSample(_ input: CopyInput) async throws {
        let original = try await input.url()
        let (url, copy) = try MovieCopy.copied(original, .init(timeRange: .seconds(1.0, 1.2)))
        // A sync sample every 20 frames at 29.97 a second: the second one is at 0.667 s.
        #expect(abs(copy.firstFrameTime.seconds - 20 * 1001 / 30_000) < 0.001)
        let packets = try await Judge.allPackets(url)[0]
        #expect(packets[0].flags.hasPrefix("K"))
        let all = try await Judge.allPackets(original)[0].map(\.data_hash)
        let place = try #require(all.firstIndex(of: packets[0].data_hash))
        #expect(place == 20)
        #expect(Array(all[place..<place + packets.count]) == packets.map(\.data_hash))
        #expect(packets.count < 22)
    }

    @Test("has the chapters and the subtitles of that part", arguments: [CopyInput.text, .textMov])
    func text(_ input: CopyInput) async throws {
        let original = try await input.url()
        let (url, copy) = try MovieCopy.copied(original, .init(timeRange: .seconds(0.5, 1.5), putsIndexFirst: true))
        #expect(copy.omittedTracks.isEmpty)
        let info = try MovieInfo(contentsOf: FilePath(url.path))
        #expect(info.chapters.map(\.title) == ["One", "Zwei"])
        let starts = info.chapters.map { Int(($0.start.seconds * 1000).rounded()) }
        #expect(starts == [0, 400])
        #expect(try await Judge.ffprobe(url).chapters?.map(\.start_time) == ["0.000000", "0.400000"])
        let subtitles = try await Tool.succeed(
            "ffmpeg", ["-v", "error", "-i", url.path, "-map", "0:s", "-f", "srt", "-"]
        ).text
        #expect(subtitles.contains("00:00:00,500 --> ") && subtitles.contains("Wörld"))
        let (late, lateCopy) = try MovieCopy.copied(original, .init(timeRange: .seconds(1.95, 2)))
        #expect(lateCopy.omittedTracks.allSatisfy { ["sbtl", "text"].contains($0.handler) })
        #expect(try MovieInfo(contentsOf: FilePath(late.path)).chapters.map(\.title) == ["Zwei"])
        try await Judge.opensWithoutAWord(url, asDoes: original)
    }

    @Test("can be of a movie in fragments, and of another kind")
    func fragments() async throws {
        let original = try await CopyInput.fragments.url()
        let (url, _) = try MovieCopy.copied(original, .init(fileType: .mov, timeRange: .seconds(0.7, 1.3)))
        try await Judge.opensWithoutAWord(url)
        #expect(abs(try MovieInfo(contentsOf: FilePath(url.path)).duration.seconds - 0.6) < 0.002)
    }

    @Test("has to lie within the movie", arguments: [5.0..<6, -1..<1])
    func outside(_ part: Range<Double>) async throws {
        let original = try await CopyInput.aac.url()
        #expect(throws: RushesError.self) {
            try MovieCopy.copied(original, .init(timeRange: .seconds(part.lowerBound, part.upperBound)))
        }
    }
}
