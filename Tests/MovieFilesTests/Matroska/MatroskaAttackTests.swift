import Errors
import Foundation
import SystemPackage
import Testing

@testable import MovieFiles

/// What a file can hold that was made to take time or memory.
@Suite("A Matroska file with bad intent")
struct MatroskaAttackTests {
    /// A track of MP3.
    private static func track(_ number: UInt64, _ more: (inout EBMLWriter) -> Void = { _ in }) -> EBMLWriter {
        var writer = EBMLWriter()
        writer.master(.trackEntry) { track in
            track.unsigned(.trackNumber, number)
            track.unsigned(.trackType, 2)
            track.text(.codecID, "A_MPEG/L3")
            more(&track)
        }
        return writer
    }

    private static func file(_ tracks: [EBMLWriter], _ body: (inout EBMLWriter) -> Void) throws -> URL {
        var file = EBMLWriter()
        file.master(.ebml) { $0.text(.docType, "matroska") }
        file.master(.segment) { segment in
            segment.data(.tracks, tracks.flatMap(\.bytes))
            segment.unsigned(.timestamp, 0)
            body(&segment)
        }
        let url = Scratch.directory.unique("mkv")
        try Data(file.bytes).write(to: url)
        return url
    }

    /// A frame of MP3 with 48 kHz.
    private static func frame(_ size: Int) -> [UInt8] {
        [0xFF, 0xFB, 0x14, 0xC4] + [UInt8](repeating: 0, count: size - 4)
    }

    @Test("has texts full of tags that do not end", arguments: ["<a", "<", "</", "<1"])
    func tags(_ piece: String) {
        // As many that each would be looked for to the end of the text.
        let text = String(repeating: piece, count: 100_000)
        #expect(SubtitleText.plain(text) == text)
        #expect(SubtitleText.plain(text + ">").hasPrefix(piece == "<a" ? "" : piece))
    }

    @Test("has texts that are one long character")
    func characters() {
        let text = String(repeating: "\u{1F1E9}", count: 200_000)
        #expect(text.utf8Prefix(1001) == Array(text.utf8.prefix(1000)))
        #expect(SubtitleText.sample(text).count == 2 + 65_532)
        #expect("aß".utf8Prefix(2) == [0x61] && "aß".utf8Prefix(3) == Array("aß".utf8))
    }

    @Test("has more tracks than any movie")
    func tracks() throws {
        let url = try Self.file((1...2000).map { Self.track($0) }) {
            $0.data(.simpleBlock, [0x81, 0, 0, 0x80] + Self.frame(96))
        }
        #expect(throws: RushesError.self) { try MovieCopy.copied(url, .init(fileType: .mp4)) }
    }

    @Test("has the longest lacing, which is read all the same")
    func lacing() async throws {
        // 256 frames, the sizes of 255 of which take three bytes each.
        let frames = [[UInt8]](repeating: Self.frame(600), count: 256)
        let sizes = [[UInt8]](repeating: [255, 255, 90], count: 255)
        let url = try Self.file([Self.track(1)]) {
            $0.data(.simpleBlock, [0x81, 0, 0, 0x82, 255] + Array(sizes.joined()) + Array(frames.joined()))
        }
        let (copy, _) = try MovieCopy.copied(url, .init(fileType: .mp4))
        #expect(try await Judge.allPackets(copy)[0].map(\.size) == [String](repeating: "600", count: 256))
    }

    @Test("has a description of its frames that no reader takes", arguments: ["V_MPEG4/ISO/AVC", "V_MPEGH/ISO/HEVC"])
    func description(_ codec: String) throws {
        var entry = EBMLWriter()
        entry.unsigned(.trackNumber, 1)
        entry.unsigned(.trackType, 1)
        entry.text(.codecID, codec)
        entry.data(.codecPrivate, [1] + [UInt8](repeating: 0xFF, count: 40))
        entry.master(.video) { video in
            video.unsigned(.pixelWidth, 32)
            video.unsigned(.pixelHeight, 32)
        }
        let track = try TrackEntry(try Elements(entry.bytes[...]))
        #expect(throws: MovieFileError.self) { try track.frames([], rate: 25) }
    }

    @Test("may say how Dolby Vision shows the frames, and that is kept")
    func dolbyVision() async throws {
        let entry = Self.track(1) { track in
            track.master(.blockAdditionMapping) { mapping in
                mapping.unsigned(.blockAddIDType, 0x6476_7643)
                mapping.data(.blockAddIDExtraData, [1, 0, 0x10, 0x35])
            }
        }
        let elements = try Elements(entry.bytes[...]).inside(.trackEntry)
        let box = try TrackEntry(try #require(elements)).dolbyVision
        #expect(box?.type == "dvvC" && box?.payload == [1, 0, 0x10, 0x35])
    }
}
