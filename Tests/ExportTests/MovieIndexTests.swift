import Encoding
import Export
import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Movies of whose index GStreamer's demuxer reads a part, or nothing.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MovieIndexTests {
    private static let h264 = "-c:v libx264 -preset ultrafast -g 50 -bf 2 -x264-params b-adapt=0"

    /// As many muxers write them, MP4Box's older ones among them.
    @Test func `frames that are shown later than they are decoded come to the last one where a movie has no edits`()
        async throws
    {
        let movie = try await MadeMovie("in.mp4", "\(Self.h264) -an -use_editlist 0", seconds: 1)
        #expect(try Data(contentsOf: URL(filePath: movie.path)).range(of: Data("elst".utf8)) == nil)
        let result = try await movie.export(MadeMovie.settings(), to: "out.mp4")
        #expect(result.notes.allSatisfy { !$0.contains("missing") }, "\(result.notes)")
        #expect(try await movie.frames(of: "out.mp4") == Array(0..<25))
    }

    @Test func `Opus whose packets all have the same size is read from the first to the last`() async throws {
        let movie = try await MadeMovie("in.mp4", "\(Self.h264) -c:a libopus -vbr off", seconds: 1)
        #expect(try ReindexedMovie(reading: FilePath(movie.path)) != nil)
        var settings = MadeMovie.settings()
        settings.audio = .codec(.pcm)
        let result = try await movie.export(settings, to: "out.mov")
        let wanted = try await FFmpeg.audio(of: movie.path, rate: 48_000)
        let audio = try await FFmpeg.audio(of: movie.folder.file("out.mov"), rate: 48_000)
        // ffmpeg decodes the last packet to its end, and a little otherwise than libopus.
        #expect(abs(audio.count - 48_000) <= 1 && wanted.count >= 48_000, "\(audio.count), \(result.notes)")
        #expect(zip(audio, wanted).allSatisfy { abs($0 - $1) < 0.02 })
        #expect(try await movie.frames(of: "out.mov") == Array(0..<25))
        let others = try await MadeMovie("in.mp4", "\(Self.h264) -c:a libopus", seconds: 1)
        #expect(try ReindexedMovie(reading: FilePath(others.path)) == nil)
    }
}
