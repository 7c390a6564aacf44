import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// Movies that begin inside of a frame's time, as cameras' own movies beside a composed one do.
@Suite(.requires(tool: "ffmpeg", package: "ffmpeg")) struct ShortFirstFrameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two seconds of 24 frames, of which the first is shown for a fifth of its time.
    private func write(_ name: String, reordered frames: Int, beginsInsideFrame: Bool) async throws -> FilePath {
        let stream = folder.file("stream.mp4")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=24:duration=2", "-vf"]
                + ["settb=1/24000,setpts=if(eq(N\\,0)\\,0\\,(N-0.8)/24/TB)", "-fps_mode", "passthrough"]
                + ["-enc_time_base", "-1", "-video_track_timescale", "24000", "-c:v", "libx264", "-bf", "\(frames)"]
                + ["-movflags", "frag_keyframe+empty_moov+default_base_moof", stream])
        let path = FilePath(folder.file(name))
        let descriptor = try FileDescriptor.open(
            path, .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        defer { try? descriptor.close() }
        var options = MovieFileWriter.Options()
        options.beginsInsideFrame = beginsInsideFrame
        let writer = MovieFileWriter(descriptor: descriptor, options: options)
        try writer.append(inRandomPieces: [UInt8](Data(contentsOf: URL(filePath: stream))), seed: 3)
        _ = try writer.finish()
        return path
    }

    private func probe(_ path: FilePath, _ entries: String) async throws -> [String] {
        try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-count_frames", "-show_entries", entries, "-of", "csv=p=0"]
                + [path.string]
        ).text.split(separator: "\n").map(String.init)
    }

    private func rate(_ path: FilePath) async throws -> Double {
        let parts = try await probe(path, "stream=avg_frame_rate").first?.split(separator: "/").compactMap {
            Double($0.filter { $0.isNumber })
        }
        let numbers = try #require(parts)
        return try #require(numbers.first) / (try #require(numbers.last))
    }

    @Test(arguments: [0, 2])
    func `the mean rate is that of all frames but the first, and players show the same`(frames: Int) async throws {
        let plain = try await write("plain.mov", reordered: frames, beginsInsideFrame: false)
        let movie = try await write("movie.mov", reordered: frames, beginsInsideFrame: true)
        #expect(try await rate(plain) > 24.3)
        #expect(abs(try await rate(movie) - 24) < 0.02)
        for entries in ["packet=pts_time,dts_time,size,flags", "stream=nb_read_frames,start_time", "format=duration"] {
            #expect(try await probe(movie, entries) == probe(plain, entries))
        }
        try await FFmpeg.decode(movie.string)
    }

    @Test func `one that others follow is joined without a gap in its media`() async throws {
        let movies = [
            try await write("a.mov", reordered: 0, beginsInsideFrame: true),
            try await write("b.mov", reordered: 0, beginsInsideFrame: true),
        ]
        let joined = FilePath(folder.file("joined.mov"))
        _ = try MovieJoin.join(movies, to: joined, as: .movie(.mov), replacing: false)
        let times = try await probe(joined, "packet=pts_time").compactMap { Double($0.filter { $0 != "," }) }
        #expect(times.count == 96 && times == times.sorted())
        let spans = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(spans.allSatisfy { $0 < 1.1 / 24 }, "\(spans)")
        let data = try Data(contentsOf: URL(filePath: joined.string))
        let list = try #require(data.range(of: Data("elst".utf8)))
        // Version and flags, then the number of edits.
        #expect(Array(data[list.upperBound + 4..<list.upperBound + 8]) == [0, 0, 0, 1])
    }
}
