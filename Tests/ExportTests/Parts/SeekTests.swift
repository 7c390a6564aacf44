import Encoding
import Export
import Foundation
import GStreamer
import SystemPackage
import TestSupport
import Testing

/// Parts that lie far from the beginning, which is not decoded for them.
@Suite("A part far from the beginning", .serialized, .timeLimit(.minutes(10))) struct SeekTests {
    @Test(
        "is the same as where everything before it is decoded",
        arguments: ["edits.mov", "index.mp4", "cues.mkv", "fragments.mp4"])
    func same(_ name: String) async throws {
        let fragments = name.hasPrefix("fragments") ? " -movflags frag_keyframe+empty_moov" : ""
        let movie = try await MadeMovie(
            name, "-c:v libx264 -preset veryfast -g 50 -bf 2 -c:a aac" + fragments, seconds: 9)
        var settings = MadeMovie.settings(TimeRange(start: 7230 * .millisecond, end: 8030 * .millisecond))
        settings.audio = .codec(.pcm)
        _ = try await movie.export(settings, to: "part.mov")
        #expect(try await movie.frames(of: "part.mov") == movie.frames(from: 7.23, lasting: 0.8))
        // A rising tone: only at the right place the two are alike.
        let audio = try await FFmpeg.audio(of: movie.folder.file("part.mov"), rate: 48000)
        let wanted = try await FFmpeg.audio(of: movie.path, rate: 48000, start: 7.23, duration: 0.8)
        try #require(audio.count > 34_000 && wanted.count > 34_000)
        #expect(abs(audio.count - wanted.count) <= 48)
        // Matroska's times are whole milliseconds: where reading begins, the audio lies as exactly as that.
        let shifts = name.hasSuffix("mkv") ? -24...24 : 0...0
        let differences = shifts.map { shift in
            stride(from: 4800, to: 33_600, by: 7).map { abs(audio[$0 + shift] - wanted[$0]) }.max() ?? 1
        }
        #expect((differences.min() ?? 1) < 0.02, "\(differences)")
    }
}
