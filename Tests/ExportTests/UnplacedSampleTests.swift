import Encoding
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Movies whose index lists more samples of audio than its chunks hold: what lies in the file is exported, and the rest is told.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct UnplacedSampleTests {
    /// ffmpeg's movie, whose index lies behind the samples, with three more sizes in the last track.
    private func make() async throws -> MadeMovie {
        let movie = try await MadeMovie(
            "in.mp4", "-map 0:v -map 1:a -c:v libx264 -preset ultrafast -c:a aac", seconds: 1)
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        func put(_ value: Int, at place: Int) {
            bytes.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: UInt32(value).bigEndian, Array.init))
        }
        let sizes = try #require(bytes.range(of: Data("stsz".utf8), options: .backwards)).lowerBound - 4
        let end = sizes + number(sizes)
        for type in ["stsz", "stbl", "minf", "mdia", "trak", "moov"] {
            let range = 0..<sizes + 8
            let place = try #require(bytes.range(of: Data(type.utf8), options: .backwards, in: range)).lowerBound - 4
            put(number(place) + 12, at: place)
        }
        put(number(sizes + 16) + 3, at: sizes + 16)
        bytes.insert(contentsOf: [0, 0, 0, 100, 0, 0, 0, 100, 0, 0, 0, 100], at: end)
        try bytes.write(to: URL(filePath: movie.path))
        return movie
    }

    private static let words = "The input's index lists 3 samples that lie nowhere in the file, so they are missing."

    @Test(arguments: ["out.mp4", "out.mkv"]) func `are copied`(name: String) async throws {
        let movie = try await make()
        let wanted = try await FFProbe.packets("a:0", of: movie.path).count
        let result = try await movie.export(ExportSettings(preset: "copy"), to: name)
        #expect(result.frames == 25 && result.notes.contains(Self.words), "\(result.notes)")
        #expect(try await FFProbe.packets("a:0", of: movie.folder.file(name)).count == wanted)
        try await FFmpeg.decode(movie.folder.file(name))
    }

    /// GStreamer reported an error now and then, before or after its end of the audio had come.
    @Test(arguments: 0..<4) func `are encoded`(time: Int) async throws {
        let movie = try await make()
        let result = try await movie.export(MadeMovie.settings(), to: "out.mp4")
        #expect(result.frames == 25 && result.notes.contains(Self.words), "\(result.notes)")
        let (own, made) = (
            try await FFmpeg.audio(of: movie.path, rate: 48_000),
            try await FFmpeg.audio(of: movie.folder.file("out.mp4"), rate: 48_000)
        )
        #expect(abs(own.count - made.count) <= 1024, "\(own.count), then \(made.count)")
    }
}
