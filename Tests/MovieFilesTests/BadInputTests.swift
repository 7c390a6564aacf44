import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("Bad input", .timeLimit(.minutes(10)))
struct BadInputTests {
    @Test(
        "is named with its box and offset",
        arguments: [
            ([], "This is not a QuickTime or MP4 movie: the file is empty."),
            (
                Array("Hello, this is a text and no movie.".utf8),
                "is not a QuickTime or MP4 movie: it holds none of a movie's boxes."
            ),
            ([0, 0, 0, 4] + Array("moov".utf8), "The box 'moov' at byte 0 is not valid: its size, 4 bytes"),
            ([0, 0, 0, 1] + Array("moov".utf8) + [0, 0, 0, 0, 0, 0, 0, 9], "The box 'moov' at byte 0 is not valid"),
            ([0, 0, 0, 8] + Array("moov".utf8), "The box 'moov' at byte 0 is not valid: it holds no 'mvhd' box."),
            (
                [0, 0, 0, 8] + Array("ftyp".utf8) + [0, 0, 0, 16] + Array("moov".utf8) + [0, 0, 0, 99]
                    + Array("mvhd".utf8),
                "The box 'mvhd' at byte 16 is not valid: it claims 99 bytes where its parent has 8 left."
            ),
            ([0, 0, 0, 8] + Array("ftyp".utf8), "it holds no index ('moov')"),
        ] as [([UInt8], String)])
    func named(_ bytes: [UInt8], _ message: String) throws {
        let url = Scratch.directory.unique("mov")
        try Data(bytes).write(to: url)
        do throws(RushesError) {
            _ = try MovieInfo(contentsOf: FilePath(url.path))
            Issue.record("no error")
        } catch {
            #expect(error.description.contains(message))
        }
        #expect(try Data(contentsOf: url) == Data(bytes))
    }

    /// As an app for phones writes it: 85 chapters in nine bytes.
    @Test("among chapters is no reason not to read a movie", .requires(tool: "ffmpeg", package: "ffmpeg"))
    func chapters() async throws {
        let url = try await CopyInput.aac.url()
        let list: [UInt8] = [0, 0, 0, 0, 0x55, 0xC4, 1, 0, 0x5D, 0x42, 0, 0, 0]
        let movie = try EditedIndex.of(url) { moov in
            moov.removeChildren { $0.type == "udta" }
            let chpl = try Box("chpl") { (writer: inout ByteWriter) in writer.append(table: list) }
            moov.children?.append(Box("udta", children: [chpl]))
        }
        #expect(try MovieInfo(contentsOf: FilePath(movie.path)).chapters.isEmpty)
        let copy = try MatroskaCopyTests.copied(movie).url
        #expect(try await Judge.allPackets(copy)[0].count == 60)
    }

    @Test("claiming millions of samples without a byte is an error")
    func emptySamples() throws {
        let tfhd = try Box(full: "tfhd") { (writer: inout ByteWriter) in writer.append(UInt32(1)) }
        let trun = try Box(full: "trun") { (writer: inout ByteWriter) in writer.append(UInt32(16_000_000)) }
        let moof = Box("moof", children: [Box("traf", children: [tfhd, trun])])
        #expect(throws: MovieFileError.self) { try TrackFragment.fragments(in: moof, defaults: [:]) }
        let full = FragmentDefaults(duration: 1, size: 4)
        #expect(
            try TrackFragment.fragments(in: moof, defaults: [1: full])[0].runs[0].samples.map(\.count) == [
                1, 15_999_999,
            ])
    }

    @Test("that is no file is an error", arguments: ["/", "/dev/null", "/nonexistent/file.mov"])
    func noFile(_ path: String) {
        #expect(throws: RushesError.self) { try MovieInfo(contentsOf: FilePath(path)) }
        #expect(throws: RushesError.self) { try MovieRecovery.recover(FilePath(path)) }
        #expect(throws: RushesError.self) { try MovieEditing.setOrientation(.upright, ofMovieAt: FilePath(path)) }
    }

    @Test(
        "claiming a billion entries in a small box costs no memory",
        arguments: ["stts", "stsz", "stsc", "co64", "ctts"])
    func billionEntries(_ type: String) async throws {
        let url = try await Recording.h264.written().url
        try overwrite(url, type, last: true, at: type == "stsz" ? 16 : 12, with: [0x3B, 0x9A, 0xCA, 0])
        let before = try Data(contentsOf: url)
        if type != "ctts", type != "stsc" {
            #expect(throws: RushesError.self) { try MovieInfo(contentsOf: FilePath(url.path)) }
        }
        _ = try? MovieEditing.moveIndexToFront(
            ofMovieAt: FilePath(url.path), writingTo: FilePath(Scratch.directory.unique("mp4").path))
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("claiming a billion samples in a fragment is refused", arguments: [UInt32(1_000_000_000), .max])
    func billionSamples(_ count: UInt32) async throws {
        let url = try await Recording.hevc.written(finishing: false).url
        try overwrite(url, "trun", at: 12, with: withUnsafeBytes(of: count.bigEndian) { Array($0) })
        #expect(throws: RushesError.self) { try MovieInfo(contentsOf: FilePath(url.path)) }
        // Without fields for each sample the count alone makes them.
        try overwrite(url, "trun", at: 8, with: [0, 0, 0, 1])
        #expect(throws: RushesError.self) { try MovieInfo(contentsOf: FilePath(url.path)) }
    }

    @Test("nested a thousand levels deep is refused")
    func deepNesting() throws {
        var box: [UInt8] = []
        for _ in 0..<1000 {
            var writer = ByteWriter()
            try writer.box("moov") { (writer: inout ByteWriter) in writer.append(contentsOf: box) }
            box = writer.bytes
        }
        let url = Scratch.directory.unique("mov")
        try Data(box).write(to: url)
        #expect(throws: RushesError.self) { try MovieInfo(contentsOf: FilePath(url.path)) }
    }

    @Test("of encrypted samples is refused for recovery by name")
    func encrypted() async throws {
        let url = try await Recording.h264.written(finishing: false).url
        try overwrite(url, "avc1", at: 4, with: Array("encv".utf8))
        #expect {
            try MovieRecovery.recover(FilePath(url.path))
        } throws: { error in
            (error as? RushesError)?.description.contains("encrypted (sample entry 'encv'") == true
        }
    }

    @Test("of any other kind ends in an error or an answer, and never changes the original")
    func mutations() async throws {
        var random = SeededGenerator(state: 77)
        let files = try await [
            Recording.av1.written().url, Recording.av1.written(finishing: false).url, Recording.h264.written().url,
        ]
        for file in files {
            let original = [UInt8](try Data(contentsOf: file))
            let headers = try Self.headerBytes(file)
            let url = Scratch.directory.unique("mp4")
            let output = FilePath(Scratch.directory.unique("mp4").path)
            for _ in 0..<50 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let interesting: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
                    guard let place = headers.randomElement(using: &random),
                        let value = interesting.randomElement(using: &random)
                    else { continue }
                    bytes[place] = value
                }
                try Data(bytes).write(to: url)
                _ = try? MovieInfo(contentsOf: FilePath(url.path))
                _ = try? MovieRecovery.recover(FilePath(url.path), to: output, replacing: true)
                _ = try? MovieEditing.moveIndexToFront(
                    ofMovieAt: FilePath(url.path), writingTo: output, replacing: true)
                #expect(try [UInt8](Data(contentsOf: url)) == bytes)
            }
        }
    }

    /// The bytes of a file outside of its samples.
    private static func headerBytes(_ url: URL) throws -> [Int] {
        try ReadableFile.open(FilePath(url.path)) { (file) throws(MovieFileError) in
            var boxes = TopLevelBoxes(file)
            var places: [Int] = []
            while let entry = try boxes.next() {
                let size = entry.type == "mdat" ? UInt64(entry.header.headerSize) : entry.size
                places += (entry.offset..<entry.offset + size).map(Int.init)
            }
            return places
        }
    }

    /// Overwrites bytes of the first or last box of a type, counted from the box's beginning.
    private func overwrite(
        _ url: URL, _ type: String, last: Bool = false, at offset: Int, with bytes: [UInt8]
    ) throws {
        var data = try Data(contentsOf: url)
        let place = try #require(
            data.range(of: Data(type.utf8), options: last ? .backwards : []), "no \(type)")
        let start = place.lowerBound - 4 + offset
        data.replaceSubrange(start..<start + bytes.count, with: bytes)
        try data.write(to: url)
    }
}
