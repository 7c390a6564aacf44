import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("A copy of a movie")
struct MovieCopyTests {
    @Test(
        "of the other kind holds the same packets, and plays the same",
        arguments: Cases.taken(of: CopyInput.fittingBoth))
    func sameMovie(_ input: CopyInput) async throws {
        try await expectSameMovie(input, input.ending == "mov" ? .mp4 : .mov)
    }

    @Test("of the same kind holds the same packets, and plays the same", arguments: [CopyInput.aac, .textMov])
    func sameKind(_ input: CopyInput) async throws {
        try await expectSameMovie(input, input.ending == "mov" ? .mov : .mp4)
    }

    private func expectSameMovie(_ input: CopyInput, _ type: MovieFileType) async throws {
        let original = try await input.url()
        let (url, copy) = try MovieCopy.copied(original, .init(fileType: type))
        #expect(copy.omittedTracks.isEmpty && copy.isOriginalWhole)
        #expect(try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? UInt64 == copy.fileSize)
        try await Judge.expectSamePackets(url, original)
        try await Judge.opensWithoutAWord(url, asDoes: original)
        #expect(try await Judge.shownFrames(url) == Judge.shownFrames(original))
        #expect(try await Judge.audio(url) == Judge.audio(original))
        let (mine, theirs) = await (try await Judge.ffprobe(url), try Judge.ffprobe(original))
        #expect(copy.frameCount.map(String.init) == theirs.streams.first { $0.codec_type == "video" }?.nb_frames)
        #expect(copy.audioTrackCount == theirs.streams.count { $0.codec_type == "audio" })
        #expect(mine.chapters?.map(\.start_time) == theirs.chapters?.map(\.start_time))
        #expect(mine.chapters?.map { $0.tags?["title"] } == theirs.chapters?.map { $0.tags?["title"] })
        #expect(mine.format.tags?["title"] == theirs.format.tags?["title"])
        for (stream, other) in zip(mine.streams, theirs.streams) {
            #expect(stream.codec_name == other.codec_name)
            #expect(stream.color_primaries == other.color_primaries)
            #expect(stream.color_transfer == other.color_transfer)
            #expect(stream.color_range == other.color_range)
            #expect(stream.channels == other.channels)
            #expect(stream.sample_rate == other.sample_rate)
            #expect(stream.start_time == other.start_time)
            #expect(stream.nb_frames == other.nb_frames)
        }
        let info = try MovieInfo(contentsOf: FilePath(url.path))
        #expect(info.container == type.rawValue && info.complete && !info.fragmented)
        #expect(abs((info.duration - copy.duration).seconds) < 0.0015)
    }

    @Test("agrees with ffmpeg's own", arguments: [CopyInput.aac, .audioTracks], MovieFileType.allCases)
    func likeFFmpeg(_ input: CopyInput, _ type: MovieFileType) async throws {
        let original = try await input.url()
        let reference = Scratch.directory.unique(type.rawValue)
        try await Tool.shell("ffmpeg -nostdin -v error -i \(original.path) -map 0 -c copy \(reference.path)")
        let (url, _) = try MovieCopy.copied(original, .init(fileType: type))
        try await Judge.expectSamePackets(url, reference, tolerance: 0.001)
        let (mine, theirs) = await (try await Judge.ffprobe(url), try Judge.ffprobe(reference))
        for (stream, other) in zip(mine.streams, theirs.streams) {
            #expect(stream.codec_tag_string == other.codec_tag_string)
            #expect(stream.profile == other.profile)
            #expect(stream.color_space == other.color_space)
        }
    }

    @Test("may have its index first, and room behind it", arguments: [CopyInput.aac, .textMov])
    func indexFirst(_ input: CopyInput) async throws {
        let original = try await input.url()
        let (url, copy) = try MovieCopy.copied(original, .init(putsIndexFirst: true))
        try await Judge.expectSamePackets(url, original)
        let boxes = try ReadableFile.open(FilePath(url.path)) { (file) throws(MovieFileError) in
            try MovieLayout(file).boxes.map(\.type.description)
        }
        #expect(boxes == ["ftyp", "moov", "free", "mdat"])
        #expect(try Data(contentsOf: url).count == Int(copy.fileSize))
        try MovieEditing.setMetadata(MovieMetadata(title: "Later"), ofMovieAt: FilePath(url.path))
        #expect(try Data(contentsOf: url).count == Int(copy.fileSize))
        try await Judge.decodesWithoutAWord(url)
    }

    @Test("makes an ordinary movie of one in fragments", arguments: Recording.all)
    func fragments(_ recording: Recording) async throws {
        let options = MovieFileWriter.Options(
            orientation: MovieOrientation(rotation: .quarter), audioPriming: recording.audioPriming)
        let dead = try await recording.written(options, finishing: false).url
        let (url, copy) = try MovieCopy.copied(dead, .init(putsIndexFirst: true))
        #expect(copy.omittedTracks.isEmpty)
        try await Judge.expectSamePackets(url, try recording.written(options).url)
        try await Judge.decodesWithoutAWord(url)
        #expect(try await Judge.ffprobe(url).video?.clockwiseRotation == 90)
        #expect(try MovieInfo(contentsOf: FilePath(url.path)).fragmented == false)
    }

    @Test("of fragments that are cut off holds the samples that are whole, and says so")
    func cutFragments() async throws {
        let whole = try await CopyInput.fragments.url()
        let data = try Data(contentsOf: whole)
        let cut = Scratch.directory.unique("mp4")
        // Of three fragments much the same size: inside of the second.
        try data.prefix(data.count / 2).write(to: cut)
        let (url, copy) = try MovieCopy.copied(cut, .init(fileType: .mov))
        #expect(!copy.isOriginalWhole)
        #expect((0.5..<1.9).contains(copy.duration.seconds))
        try await Judge.decodesWithoutAWord(url)
    }

    @Test("keeps orientation, place, date and camera", arguments: MovieFileType.allCases)
    func metadata(_ type: MovieFileType) async throws {
        let original = try await Recording.h264.written(
            .init(orientation: MovieOrientation(rotation: .threeQuarters, isMirrored: true), audioPriming: 1024)
        ).url
        var metadata = MovieMetadata(
            title: "A title", description: "What it shows", keywords: ["a", "b"], make: "Maker", model: "Model",
            software: "Program", location: "+48.8577+002.2950+035.000/")
        metadata.creationDate = MovieDate("2026-11-21T14:03:22+0100")
        let chapters = [
            MovieInfo.Chapter(start: MediaTime(seconds: 0), title: "One"),
            .init(start: MediaTime(seconds: 1), title: "Two"),
        ]
        try MovieEditing.setMetadata(metadata, chapters: chapters, ofMovieAt: FilePath(original.path))
        let (url, _) = try MovieCopy.copied(original, .init(fileType: type))
        var expected = try MovieInfo(contentsOf: FilePath(original.path))
        let info = try MovieInfo(contentsOf: FilePath(url.path))
        (expected.path, expected.container) = (info.path, type.rawValue)
        (expected.size, expected.bitRate) = (info.size, info.bitRate)
        #expect(info == expected)
        #expect(try await Judge.ffprobe(url).format.tags?["title"] == "A title")
        let tags = try await Judge.exiftool(url, "CreateDate", "Model")
        #expect(tags == ["CreateDate": "2026:11:21 13:03:22", "Model": "Model"])
        try await Judge.opensWithoutAWord(url, asDoes: original)
    }

    @Test("keeps what HDR10 says of its frames", arguments: MovieFileType.allCases)
    func hdr(_ type: MovieFileType) async throws {
        let original = try await CopyInput.hdr.url()
        let (url, _) = try MovieCopy.copied(original, .init(fileType: type))
        for property in ["HDR_Format", "MasteringDisplay_Luminance", "MaxCLL", "colour_primaries", "CodecID"] {
            let told = try await Judge.mediainfo(url, "Video", property)
            #expect(try await told == Judge.mediainfo(original, "Video", property) && told != "")
        }
    }
}
