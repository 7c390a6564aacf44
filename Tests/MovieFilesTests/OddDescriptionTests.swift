import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// What is told of movies whose own tables say it otherwise than it is.
@Suite("A description of an odd movie", .requires(tool: "ffmpeg", package: "ffmpeg"))
struct OddDescriptionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ options: String) async throws -> URL {
        try await Tool.shell("ffmpeg -nostdin -v error \(options) \(folder.file(name))")
        return URL(filePath: folder.file(name))
    }

    /// As MainConcept's encoder writes it, so that all frames last as long as the track's header says.
    @Test("believes no last frame that lasts less than nothing")
    func negativeDuration() async throws {
        let original = try await make(
            "in.mp4", "-f lavfi -i testsrc2=size=96x64:rate=30:duration=2 -c:v libx264 -bf 0 -pix_fmt yuv420p")
        let edited = try EditedIndex.of(original) { moov in
            for index in (moov.children ?? []).indices where moov.children?[index].type == "trak" {
                try moov.children?[index].edit(["mdia", "minf", "stbl", "stts"]) { (stts: inout Box) in
                    let bytes = Array(stts.payload)
                    // Of one run two: all frames but one, and one of -31,999 ticks.
                    #expect(Array(bytes[4..<8]) == [0, 0, 0, 1] && Array(bytes[8..<12]) == [0, 0, 0, 60])
                    let runs = [0, 0, 0, 2, 0, 0, 0, 59] + bytes[12..<16] + [0, 0, 0, 1, 0xFF, 0xFF, 0x83, 0x01]
                    stts.payload = (bytes[..<4] + runs)[...]
                }
            }
        }
        let told = try MovieInfo(contentsOf: FilePath(edited.path)).video[0]
        #expect(told.frameCount == 60 && abs((told.frameRate ?? 0) - 30) < 1, "\(told)")
        let (copy, _) = try MatroskaCopyTests.copied(edited)
        #expect(try await Judge.shownFrames(copy).count == 60)
    }

    @Test("tells the channels of Vorbis, of which ffmpeg's sample entry says two", arguments: [1, 2])
    func channelsOfVorbis(_ count: Int) async throws {
        let movie = try await make(
            "in.mp4", "-f lavfi -i sine=duration=1:sample_rate=22050 -ac \(count) -c:a libvorbis")
        let audio = try #require(try MovieInfo(contentsOf: FilePath(movie.path)).audio.first)
        #expect(audio.codec == "vorbis" && audio.channels == count && audio.sampleRate == 22050)
    }
}
