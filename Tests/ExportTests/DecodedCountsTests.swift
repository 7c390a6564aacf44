import SystemPackage
import TestSupport
import Testing

@testable import Export

/// How much of an output is decoded before it gets its name.
@Suite struct DecodedCountsTests {
    @Test func `of a long group of frames no more are decoded than asked for`() async throws {
        let movie = try await MadeMovie("a.mp4", "-c:v libx264 -preset ultrafast -g 250 -c:a aac", seconds: 6)
        // Frames are decoded until there is audio, too, which on a busy machine comes late.
        for (most, frames) in [(10, 10...149), (Int.max, 150...150)] {
            // GStreamer has its descriptor's path.
            let file = try InputFile(FilePath(movie.path))
            defer { withExtendedLifetime(file) {} }
            let reader = try MediaReader(file, filters: MediaReader.Filters()) { _ in .decode }
            try await reader.open()
            let counts = try await DecodedCounts(of: reader, toEnd: true, most: most) { true }
            await reader.stop()
            let found = try #require(counts)
            #expect(frames.contains(found.frames) && found.audio > 0, "\(found)")
        }
    }
}
