import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("A time code of the first frame")
struct TimeCodeTrackTests {
    private static let code = "14:03:22:08"

    private func options(_ recording: Recording) throws -> MovieFileWriter.Options {
        var options = MovieFileWriter.Options(audioPriming: recording.audioPriming)
        let date = try #require(MovieDate("2026-11-21T14:03:22.340+0100"))
        let code = try #require(TimeCode(date, rate: .init(25)))
        options.beginning = { .init(date: date, timeCode: code) }
        return options
    }

    private func expectCode(_ url: URL, _ comment: Comment? = nil) async throws {
        let probe = try await Judge.ffprobe(url)
        #expect(probe.streams.map(\.codec_type) == ["video", "audio", "data"], comment)
        #expect(probe.video?.tags?["timecode"] == Self.code, comment)
        #expect(
            probe.streams.last?.codec_tag_string == "tmcd" && probe.streams.last?.tags?["timecode"] == Self.code,
            comment)
        #expect(try await Judge.mediainfo(url, "Other", "TimeCode_FirstFrame") == Self.code, comment)
        let info = try MovieInfo(contentsOf: FilePath(url.path))
        #expect(info.timecode == Self.code && info.creationDate == "2026-11-21T14:03:22.340+0100", comment)
        try await Judge.opensWithoutAWord(url)
    }

    @Test(
        "is in the file from its first fragment on, and as long as the frames when it is finished",
        arguments: Recording.all)
    func written(_ recording: Recording) async throws {
        try await expectCode(recording.written(options(recording), finishing: false).url)
        let (url, finished) = try await recording.written(options(recording))
        try await expectCode(url)
        try await Judge.playsInGStreamer(url)
        let probe = try await Judge.ffprobe(url)
        let (video, code) = try (#require(probe.video), #require(probe.streams.last))
        #expect(abs(code.length - video.length) < 0.001)
        #expect(finished?.tracks.map(\.handler) == ["vide", "soun"])
        let plain = try await recording.written().url
        try await Judge.expectSamePackets(url, plain)
        #expect(probe.format.duration == (try await Judge.ffprobe(plain).format.duration))
    }

    @Test("survives a kill and the recovery, wherever the stream stopped", arguments: Recording.all)
    func recovered(_ recording: Recording) async throws {
        let stream = try await recording.bytes
        let firstEnd = try #require(try KilledRecordingTests.boxEnds(stream, "mdat").first)
        var random = SeededGenerator(state: 11)
        let cut = Int.random(in: firstEnd + 2000...stream.count, using: &random)
        let url = try await recording.written(options(recording), count: cut, finishing: false).url
        _ = try MovieRecovery.recover(FilePath(url.path))
        try await expectCode(url, "cut at \(cut)")
    }

    @Test("does not make a movie of a file without a frame")
    func nothingRecorded() async throws {
        let head = try #require(try await KilledRecordingTests.boxEnds(Recording.h264.bytes, "moov").first)
        await #expect(throws: MovieFileError.noSamples) {
            try await Recording.h264.written(options(.h264), count: head)
        }
    }

    @Test(
        "is in a copy of the same kind of file, and in one of the other, there and back",
        arguments: [Recording.h264, .hevc])
    func copied(_ recording: Recording) async throws {
        let original = try await recording.written(options(recording)).url
        let (same, _) = try MovieCopy.copied(original, .init())
        try await expectCode(same)
        let other: MovieFileType = recording.ending == "mov" ? .mp4 : .mov
        let (converted, copy) = try MovieCopy.copied(original, .init(fileType: other))
        #expect(copy.omittedTracks.isEmpty)
        try await expectCode(converted)
        let (back, _) = try MovieCopy.copied(converted, .init(fileType: recording.ending == "mov" ? .mov : .mp4))
        try await expectCode(back)
    }
}
