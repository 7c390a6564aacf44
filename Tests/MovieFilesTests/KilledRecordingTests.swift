import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("What is on disk when a recorder is killed")
struct KilledRecordingTests {
    @Test("plays upright from its first frame on, wherever the stream stopped", arguments: Recording.all)
    func anyCut(_ recording: Recording) async throws {
        let stream = try await recording.bytes
        let firstEnd = try #require(try Self.boxEnds(stream, "mdat").first)
        var random = SeededGenerator(state: 5)
        let boundaries = try Self.boxEnds(stream, "mdat").dropFirst().flatMap { [$0 - 1, $0, $0 + 1] }
        let cuts =
            boundaries.shuffled(using: &random).prefix(4)
            + (0..<4).map { _ in Int.random(in: firstEnd...stream.count, using: &random) }
        var movies: [URL] = []
        for cut in cuts {
            let options = MovieFileWriter.Options(
                orientation: MovieOrientation(rotation: .quarter), audioPriming: recording.audioPriming)
            let url = try await recording.written(options, count: cut, finishing: false).url
            let probe = try await Judge.ffprobe(url)
            #expect(probe.video?.clockwiseRotation == 90, "cut at \(cut)")
            #expect(probe.video?.start == 0, "cut at \(cut)")
            movies.append(url)
        }
        // The first frame of each, by one run.
        let frames = movies.indices.flatMap { ["-map", "\($0):v", "-frames:v", "1", "-f", "null", "-"] }
        let result = try await Tool.run(
            "ffmpeg", ["-nostdin", "-v", "error"] + movies.flatMap { ["-i", $0.path] } + frames)
        #expect(result.status == 0, "\(result)")
    }

    @Test("can be finished wherever the stream stopped", arguments: Recording.all)
    func finishAnywhere(_ recording: Recording) async throws {
        let stream = try await recording.bytes
        let firstEnd = try #require(try Self.boxEnds(stream, "mdat").first)
        var random = SeededGenerator(state: 6)
        var movies: [(url: URL, comment: Comment)] = []
        for _ in 0..<6 {
            let cut = Int.random(in: firstEnd...stream.count, using: &random)
            let (url, finished) = try await recording.written(count: cut)
            movies.append((url, "cut at \(cut)"))
            #expect(try await Judge.ffprobe(url).streams.count == finished?.tracks.count, "cut at \(cut)")
        }
        try await Judge.decodeWithoutAWord(movies)
    }

    @Test("has no index without a sample, and says so", arguments: [0, 20, 32, 100, 1500])
    func nothingRecorded(_ count: Int) async throws {
        await #expect(throws: MovieFileError.noSamples) { try await Recording.h264.written(count: count) }
    }

    @Test("leaves out a track without a sample", arguments: Recording.all)
    func oneTrackOnly(_ recording: Recording) async throws {
        let stream = try await recording.bytes
        let (url, finished) = try await recording.written(count: try Self.boxEnds(stream, "mdat").first)
        #expect(finished?.tracks.count == 1)
        #expect(try await Judge.ffprobe(url).streams.count == 1)
        try await Judge.decodesWithoutAWord(url)
    }

    /// Where the top-level boxes of a type end.
    static func boxEnds(_ stream: [UInt8], _ type: FourCC) throws -> [Int] {
        var framer = BoxFramer()
        var ends: [Int] = []
        var current: FourCC?
        try stream.withBytes { (buffer) throws(MovieFileError) in
            var input = buffer
            while let piece = try framer.next(&input) {
                switch piece {
                case .header(let header, _): current = header.type
                case .payload: break
                case .end: if current == type { ends.append(Int(framer.position)) }
                }
            }
        }
        return ends
    }
}
