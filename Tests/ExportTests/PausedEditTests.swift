import Encoding
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Edit lists of others that show nothing for a while, or one frame for longer.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct PausedEditTests {
    /// Gives the video another list: seconds, where they begin in its media (nil: nowhere), and how fast.
    private func edit(_ path: String, _ edits: [(seconds: Double, from: Double?, rate: Double)]) throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        func word(_ value: Int) -> Data { Data([24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }) }
        func place(_ name: String) throws -> Int { try #require(bytes.range(of: Data(name.utf8))).lowerBound }
        let list = try place("elst")
        #expect(number(list + 8) == 1)
        let (movie, media) = (number(try place("mvhd") + 16), number(try place("mdhd") + 16))
        let base = number(list + 16)
        var entries = Data()
        for edit in edits {
            let time = edit.from.map { base + Int($0 * Double(media)) } ?? 0xFFFF_FFFF
            entries += word(Int(edit.seconds * Double(movie))) + word(time) + word(Int(edit.rate * 65536))
        }
        let growth = entries.count - 12
        bytes.replaceSubrange(list + 12..<list + 24, with: entries)
        bytes.replaceSubrange(list + 8..<list + 12, with: word(edits.count))
        for name in ["moov", "trak", "edts", "elst"] {
            let box = try place(name) - 4
            bytes.replaceSubrange(box..<box + 4, with: word(number(box) + growth))
        }
        try bytes.write(to: URL(filePath: path))
    }

    private func movie() async throws -> MadeMovie {
        try await MadeMovie("in.mov", "-c:v libx264 -preset ultrafast -g 25 -bf 2 -c:a aac", seconds: 4)
    }

    @Test func `what a pause of an edit list leaves out is not told to be missing`() async throws {
        let movie = try await movie()
        try edit(movie.path, [(1, 0, 1), (1, nil, 1), (2, 2, 1)])
        let track = try #require(try ListedTrack.all(in: FilePath(movie.path)).first { $0.handler == "vide" })
        #expect(abs(track.pauses.seconds - 1) < 0.001)
        let result = try await movie.export(MadeMovie.settings(), to: "out.mp4")
        #expect(result.notes.allSatisfy { !$0.contains("missing") }, "\(result.notes)")
        #expect(abs(result.duration.seconds - 4) < 0.05)
    }

    @Test func `a frame that begins where an edit ends is not in a copy to Matroska`() async throws {
        let movie = try await movie()
        try edit(movie.path, [(2, 0, 1)])
        #expect(try await movie.frames(of: "in.mov").count == 50)
        let result = try await movie.export(ExportSettings(preset: "copy"), to: "out.mkv")
        #expect(result.notes == ["All tracks are copied as they are."])
        #expect(try await FFProbe.packets("v:0", of: movie.folder.file("out.mkv")).count == 50)
    }

    @Test func `a frame that an edit list shows for longer is copied as it is`() async throws {
        let movie = try await movie()
        try edit(movie.path, [(1, 0, 1), (1, 1, 0), (2, 2, 1)])
        let list = try Data(contentsOf: URL(filePath: movie.path))
        let result = try await movie.export(ExportSettings(preset: "copy"), to: "out.mov")
        #expect(abs(result.duration.seconds - 4) < 0.05, "\(result.notes)")
        let copy = try Data(contentsOf: URL(filePath: movie.folder.file("out.mov")))
        let (own, other) = (list.range(of: Data("elst".utf8)), copy.range(of: Data("elst".utf8)))
        let (first, second) = (try #require(own), try #require(other))
        #expect(
            list[first.lowerBound..<first.lowerBound + 48] == copy[second.lowerBound..<second.lowerBound + 48])
    }
}
