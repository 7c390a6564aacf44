import EditProjects
import Encoding
import GStreamer
import Imaging
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// How many threads decode movies that are composed.
@Suite(.timeLimit(.minutes(2))) struct DecodingThreadsTests {
    private static let full = VideoSize(1920, 1080)

    @Test(arguments: [
        // The benchmark's: a thread each, as five on two cores cost more than two.
        ([full, VideoSize(1280, 720)], 2, [1, 1]), ([full, full], 8, [4, 4]),
        // Whoever has most to decode is not held up by the smallest.
        ([VideoSize(3840, 2160), VideoSize(1280, 720)], 2, [2, 1]), ([full, full, full, full], 2, [1, 1, 1, 1]),
        ([full, full], 96, [16, 16]),
    ])
    func `cores are shared by the frames' sizes`(sizes: [VideoSize], cores: Int, threads: [Int]) {
        #expect(DecodingThreads.shares(sizes, cores: cores) == threads)
    }

    @Test func `of a movie whose size nobody knows nothing is decided`() {
        #expect(DecodingThreads.shares([Self.full, nil], cores: 2) == [nil, nil])
        #expect(DecodingThreads.shares([VideoSize(0, 0), VideoSize(0, 0)], cores: 2) == [nil, nil])
    }

    @Test func `each movie's decoder has its share`() async throws {
        let video = "-c:v libx264 -preset ultrafast -an"
        let main = try await MadeMovie("main.mov", video, seconds: 0.4)
        let inset = try await MadeMovie("inset.mov", video, seconds: 0.4)
        let composition = MovieComposition(
            main: FilePath(main.path), insets: [FilePath(inset.path)],
            steps: [.init(time: .zero, choice: .init(layout: try Layout("stacked"), order: [0, 1], transition: .zero))])
        let movies = try composition.paths.map { try MovieInput(InputFile($0)) }
        let target = try ExportTarget(MadeMovie.settings(), container: .mov, files: try PipelineFiles.find())
        let source = try CompositionInput(composition, movies).source(for: target, without: RetryReasons())
        let composed = try #require(source as? CompositionSource)
        try await composed.open()
        // A decoder is put together when its first packet comes.
        guard case .sample = try #require(composed.tracks.first).sink.pull(within: .seconds(20)) else {
            Issue.record("no frame came")
            return await composed.stop()
        }
        let size = VideoSize(160, 120)
        let shares = DecodingThreads.shares([size, size], cores: MachineCores.available)
        for (movie, share) in zip(composed.sources, shares) {
            // GStreamer counts the elements of a kind in the process.
            let bin = movie.reader.pipeline.bin
            let decoder = (0..<10_000).lazy.compactMap { bin.element(named: "avdec_h264-\($0)") }.first
            #expect(decoder?.get("max-threads")?.intValue == share)
        }
        await composed.stop()
    }
}
