import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("Turning a finished Matroska file")
struct MatroskaRotationTests {
    private static func copy(_ input: MatroskaInput) async throws -> URL {
        let url = Scratch.directory.unique(input.ending)
        try FileManager.default.copyItem(at: try await input.url(), to: url)
        return url
    }

    @Test(
        "shows its frames turned, whatever they were before, and no packet is another",
        arguments: [
            MatroskaInput.told, .web, .live,
        ])
    func turns(_ input: MatroskaInput) async throws {
        let url = try await Self.copy(input)
        let before = try await Judge.allPackets(url)
        for degrees in [90, 270, 180, 0] {
            let orientation = try #require(MovieOrientation(degrees: degrees))
            try MovieEditing.setOrientation(orientation, ofMovieAt: FilePath(url.path))
            let probe = try await Judge.ffprobe(url)
            #expect(probe.streams.first { $0.codec_type == "video" }?.clockwiseRotation == degrees)
            #expect(try MovieInfo(readingMatroska: FilePath(url.path))?.video.first?.rotation == degrees)
            let after = try await Judge.allPackets(url)
            #expect(after.map { $0.map(\.data_hash) } == before.map { $0.map(\.data_hash) })
            #expect(after.map { $0.map(\.presentation) } == before.map { $0.map(\.presentation) })
        }
        try await Judge.decodesWithoutAWord(url)
    }

    @Test("makes a copy that is turned, and leaves the file as it is")
    func copies() async throws {
        let url = try await Self.copy(.told)
        let bytes = try Data(contentsOf: url)
        let output = Scratch.directory.unique("mkv")
        let quarter = try #require(MovieOrientation(degrees: 90))
        try MovieEditing.setOrientation(quarter, ofMovieAt: FilePath(url.path), writingTo: FilePath(output.path))
        #expect(try Data(contentsOf: url) == bytes)
        let probe = try await Judge.ffprobe(output)
        #expect(probe.streams.first { $0.codec_type == "video" }?.clockwiseRotation == 90)
        #expect(probe.format.tags == (try await Judge.ffprobe(url)).format.tags)
        try await Judge.opensWithoutAWord(output)
        #expect(throws: RushesError.self) {
            try MovieEditing.setOrientation(quarter, ofMovieAt: FilePath(url.path), writingTo: FilePath(output.path))
        }
    }

    @Test("is refused where it would be mirrored, and where there is no video")
    func refusals() async throws {
        for (input, orientation, words) in [
            (MatroskaInput.told, MovieOrientation(rotation: .quarter, isMirrored: true), "and not mirror them"),
            (.onlyAudio, MovieOrientation(rotation: .quarter), "it has no video that could be turned"),
        ] {
            let url = try await Self.copy(input)
            let bytes = try Data(contentsOf: url)
            #expect {
                try MovieEditing.setOrientation(orientation, ofMovieAt: FilePath(url.path))
            } throws: { "\($0)".contains(words) }
            #expect(try Data(contentsOf: url) == bytes)
        }
    }
}
