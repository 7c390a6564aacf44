import EditProjects
import Encoding
import Errors
import Foundation
import GStreamer
import Imaging
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@testable import Composition
@testable import Export

/// Movies whose frames show their numbers, composed; the numbers are read back from what ffmpeg decodes.
@Suite(.timeLimit(.minutes(5))) struct ComposeTests {
    func composition(_ main: MadeMovie, _ inset: MadeMovie, _ layouts: [(Double, String)]) throws
        -> MovieComposition
    {
        MovieComposition(
            main: FilePath(main.path), insets: [FilePath(inset.path)],
            steps: try layouts.map { time, text in
                .init(
                    time: MediaTime(seconds: time),
                    choice: .init(layout: try Layout(text), order: [0, 1], transition: .zero))
            })
    }

    func compose(
        _ composition: MovieComposition, _ settings: ExportSettings = MadeMovie.settings(), in main: MadeMovie,
        to name: String = "out.mp4"
    ) async throws -> ExportResult {
        try await ExportSession(composition, settings: settings, center: nil)
            .export(to: MovieDestination(FilePath(main.folder.file(name))))
    }

    /// Both numbers of each frame of two that are stacked.
    func pairs(_ movie: MadeMovie, _ name: String = "out.mp4") async throws -> [(main: Int, inset: Int)] {
        let main = try await movie.frames(of: name, in: "80:60:40:0")
        let inset = try await movie.frames(of: name, in: "80:60:40:60")
        #expect(main.count == inset.count)
        return zip(main, inset).map { ($0, $1) }
    }

    @Test(arguments: [("mp4", 60, 0.5), ("mkv", 24, -0.25), ("mov", 25, 0)])
    func `each main frame stands with the newest inset's that is not later`(
        container: String, rate: Int, offset: Double
    ) async throws {
        let main = try await MadeMovie("main.mov", "-c:v libx264 -preset ultrafast -c:a aac")
        let inset = try await MadeMovie(
            "inset.\(container)", "-c:v libx264 -preset ultrafast -an", seconds: 3.5, rate: rate)
        var composition = try composition(main, inset, [(0, "stacked")])
        composition.alignment = .offset(MediaTime(seconds: offset))
        let result = try await compose(composition, ExportSettings(preset: "h264"), in: main)
        #expect(
            result.frames == 75 && result.notes.contains { $0.contains("AAC is copied as it is") }, "\(result.notes)")
        let pairs = try await pairs(main)
        #expect(pairs.count == 75)
        for (index, pair) in pairs.enumerated() {
            let time = Double(index) / 25 - offset
            guard time >= 0 else { continue }
            #expect(pair.main == index)
            #expect(pair.inset == Int((time * Double(rate) + 0.02).rounded(.down)), "at frame \(index)")
        }
    }

    @Test func `a part far behind has the pairs that the whole has`() async throws {
        let main = try await MadeMovie("main.mov", "-c:v libx264 -preset ultrafast -g 25 -c:a aac", seconds: 10)
        let inset = try await MadeMovie("inset.mov", "-c:v libx264 -preset ultrafast -g 50 -an", seconds: 9)
        var composition = try composition(main, inset, [(0, "main-only"), (7.5, "stacked")])
        composition.alignment = .offset(.second)
        let range = TimeRange(start: 8 * .second, end: 9 * .second)
        _ = try await compose(composition, MadeMovie.settings(range), in: main)
        let pairs = try await pairs(main)
        #expect(pairs.map(\.main) == Array(200..<225) && pairs.map(\.inset) == Array(175..<200))
    }

    @Test func `an inset that began long before is read from where it is shown`() async throws {
        let main = try await MadeMovie("main.mov", "-c:v libx264 -preset ultrafast -an", seconds: 1)
        let inset = try await MadeMovie("inset.mov", "-c:v libx264 -preset ultrafast -g 25 -c:a aac", seconds: 10)
        var composition = try composition(main, inset, [(0, "stacked")])
        composition.alignment = .offset(-8 * .second)
        composition.audio = .mixed
        _ = try await compose(composition, in: main)
        #expect(try await pairs(main).map(\.inset) == Array(200..<225))
        let match = AudioMatch(
            of: try await FFmpeg.audio(of: main.folder.file("out.mp4"), duration: 0.9),
            in: try await FFmpeg.audio(of: inset.path))
        #expect(match.correlation > 0.98 && abs(Double(match.offset) / 16000 - 8) < 0.002, "\(match)")
    }

    @Test func `an inset that is shorter is shown while it lasts, and that is said`() async throws {
        let main = try await MadeMovie("main.mov", "-c:v libx264 -preset ultrafast -an")
        let inset = try await MadeMovie("inset.mov", "-c:v libx264 -preset ultrafast -an", seconds: 1)
        var composition = try composition(main, inset, [(0, "inset-only")])
        composition.alignment = .offset(.second)
        let result = try await compose(composition, in: main)
        #expect(
            result.notes.contains(
                "inset.mov begins 1.0 s after the others and ends 1.0 s before them; there they are shown without it."),
            "\(result.notes)")
        let expected = Array(0..<25) + Array(0..<25) + Array(50..<75)
        #expect(try await main.frames(of: "out.mp4") == expected)
    }

    @Test func `movies are turned as players turn them, and the composed one is upright`() async throws {
        let main = try await MadeMovie("main.mov", "-c:v libx264 -preset ultrafast -an", seconds: 1)
        let inset = try await MadeMovie("inset.mov", "-c:v libx264 -preset ultrafast -an", seconds: 1)
        for path in [main.path, inset.path] {
            try MovieEditing.setOrientation(MovieOrientation(rotation: .half), ofMovieAt: FilePath(path))
        }
        _ = try await compose(try composition(main, inset, [(0, "stacked")]), in: main)
        func reversed(_ number: Int) -> Int { (0..<8).reduce(0) { $0 | (number >> $1 & 1) << (7 - $1) } }
        let pairs = try await pairs(main)
        #expect(pairs.map(\.main) == (0..<25).map(reversed) && pairs.map(\.inset) == (0..<25).map(reversed))
        #expect(try MovieInfo(contentsOf: FilePath(main.folder.file("out.mp4"))).video.first?.rotation == 0)
    }

    @Test func `a composition is turned as its recording was`() async throws {
        let main = try await MadeMovie("main.mov", "-c:v libx264 -preset ultrafast -an", seconds: 1)
        let inset = try await MadeMovie("inset.mov", "-c:v libx264 -preset ultrafast -an", seconds: 1)
        var turned = try composition(main, inset, [(0, "stacked")])
        turned.orientation = MovieOrientation(rotation: .quarter, isMirrored: true)
        _ = try await compose(turned, in: main)
        let video = try MovieInfo(contentsOf: FilePath(main.folder.file("out.mp4"))).video.first
        #expect(video?.orientation == turned.orientation && video?.width == 160, "\(String(describing: video))")
    }

    @Test func `a layout behind the end is told`() async throws {
        let main = try await MadeMovie("main.mov", "-c:v libx264 -preset ultrafast -an", seconds: 1)
        let inset = try await MadeMovie("inset.mov", "-c:v libx264 -preset ultrafast -an", seconds: 1)
        let result = try await compose(
            try composition(main, inset, [(0, "stacked"), (0.5, "grid"), (5, "grid")]), in: main)
        let told = result.notes.filter { $0.contains("is never shown") }
        #expect(told == ["The layout at 5.0 s is never shown: main.mov ends at 1.0 s."], "\(result.notes)")
    }

    @Test func `the inset's audio lies where its frames do`() async throws {
        let main = try await MadeMovie("main.mov", "-c:v libx264 -preset ultrafast -an")
        let inset = try await MadeMovie("inset.mov", "-c:v libx264 -preset ultrafast -c:a pcm_s16le", seconds: 4)
        for offset in [0.6, -0.4] {
            var composition = try composition(main, inset, [(0, "stacked")])
            composition.alignment = .offset(MediaTime(seconds: offset))
            composition.audio = .movie(1)
            var settings = MadeMovie.settings()
            settings.audio = .codec(.pcm)
            let name = "out\(offset).mov"
            _ = try await compose(composition, settings, in: main, to: name)
            let spoken = try await FFmpeg.audio(of: inset.path)
            let heard = try await FFmpeg.audio(of: main.folder.file(name), start: 1, duration: 1)
            let match = AudioMatch(of: heard, in: spoken)
            #expect(match.correlation > 0.99)
            #expect(abs(Double(match.offset) / 16000 - (1 - offset)) < 0.001)
            let info = try MovieInfo(contentsOf: FilePath(main.folder.file(name)))
            #expect((info.duration - 3 * .second).length < 50 * .millisecond)
        }
    }

    @Test func `the audio of both is added up, each where its frames are`() async throws {
        let main = try await MadeMovie("main.mov", "-c:v libx264 -preset ultrafast -c:a pcm_s16le")
        let inset = try await MadeMovie(
            "inset.mkv", "-c:v libx264 -preset ultrafast -af asetrate=44100,aresample=44100,areverse -c:a flac",
            seconds: 2)
        var composition = try composition(main, inset, [(0, "stacked")])
        composition.alignment = .offset(.second)
        composition.audio = .mixed
        var settings = MadeMovie.settings()
        settings.audio = .codec(.pcm)
        _ = try await compose(composition, settings, in: main, to: "both.mov")
        let (one, other) = (try await FFmpeg.audio(of: main.path), try await FFmpeg.audio(of: inset.path))
        let heard = try await FFmpeg.audio(of: main.folder.file("both.mov"))
        #expect(abs(heard.count - 48_000) < 400)
        let sum = (16_000..<46_000).map { one[$0] + other[min($0 - 16_000, other.count - 1)] }
        let match = AudioMatch(of: Array(heard[16_000..<46_000]), in: sum)
        #expect(match.correlation > 0.99, "\(match)")
        let alone = AudioMatch(of: Array(heard[0..<15_900]), in: Array(one[0..<15_900]))
        #expect(alone.correlation > 0.99, "\(alone)")
    }

    @Test func `movies find each other by dates and time codes, and say how`() async throws {
        let main = try await MadeMovie(
            "main.mov",
            "-c:v libx264 -preset ultrafast -an -timecode 10:00:00:00 -metadata creation_time=2026-11-23T10:00:00Z")
        let inset = try await MadeMovie(
            "inset.mov",
            "-c:v libx264 -preset ultrafast -an -timecode 09:59:59:13 -metadata creation_time=2026-11-23T10:00:01Z")
        var composition = try composition(main, inset, [(0, "stacked")])
        var result = try await compose(composition, in: main)
        #expect(
            result.notes.contains("inset.mov begins 0.480 s before the main movie, by their time codes."),
            "\(result.notes)")
        #expect(try await pairs(main)[10] == (10, 22))
        // The same time of another day.
        let other = try await MadeMovie(
            "other.mov",
            "-c:v libx264 -preset ultrafast -an -timecode 10:00:00:00 -metadata creation_time=2026-11-22T10:00:00Z")
        var days = try self.composition(main, other, [(0, "stacked")])
        days.alignment = .automatic
        result = try await compose(days, in: main, to: "days.mp4")
        #expect(result.notes.contains { $0.contains("as neither time codes nor dates tell") }, "\(result.notes)")
        composition.alignment = .dates
        result = try await compose(composition, in: main, to: "dates.mp4")
        #expect(
            result.notes.contains("inset.mov begins 1.000 s after the main movie, by their dates."), "\(result.notes)")
        #expect(try await pairs(main, "dates.mp4")[30] == (30, 5))
    }

    /// A camera whose clock is wild, and one of a century that its file can tell.
    @Test(arguments: [(2290, true), (1754, true), (1969, true), (2190, false)])
    func `a date that cannot be true is none`(year: Int, isNone: Bool) async throws {
        let main = try await MadeMovie(
            "main.mov", "-c:v libx264 -preset ultrafast -an -metadata creation_time=2026-11-23T10:00:00Z", seconds: 1)
        let inset = try await MadeMovie(
            "inset.mkv", "-c:v libx264 -preset ultrafast -an -metadata creation_time=\(year)-01-01T00:00:00Z",
            seconds: 1)
        var composition = try composition(main, inset, [(0, "stacked")])
        composition.alignment = .automatic
        let result = try await compose(composition, in: main)
        #expect(result.notes.contains { $0.contains("as neither time codes nor dates tell") }, "\(result.notes)")
        composition.alignment = .dates
        let error = await #expect(throws: RushesError.self) { try await compose(composition, in: main, to: "no.mp4") }
        let words = error?.description ?? ""
        #expect(words.contains(isNone ? "has no date to align it by" : "lies wholly outside"), "\(words)")
        composition.alignment = .offset(.max)
        await #expect(throws: RushesError.self) { try await compose(composition, in: main, to: "no.mp4") }
    }

    /// Rows of chroma in turn, which 4:2:0 would mix: in ProRes 422 they stay apart, with the turned inset's in their places.
    @Test func `what cannot be composed is refused in a sentence, and nothing is left`() async throws {
        let main = try await MadeMovie("main.mov", "-c:v libx264 -preset ultrafast -c:a aac", seconds: 1)
        let inset = try await MadeMovie("inset.mov", "-c:v libx264 -preset ultrafast -c:a aac", seconds: 1)
        let mute = try await MadeMovie("mute.mov", "-vn -c:a aac", seconds: 1)
        func refusal(
            _ inset: MadeMovie, _ layout: String = "stacked", _ alignment: MovieComposition.Alignment = .offset(.zero)
        ) async throws -> String {
            var composition = try composition(main, inset, [(0, layout)])
            composition.alignment = alignment
            let error = await #expect(throws: RushesError.self) { _ = try await compose(composition, in: main) }
            #expect(!FileManager.default.fileExists(atPath: main.folder.file("out.mp4")))
            return error?.description ?? ""
        }
        #expect(try await refusal(mute).contains("mute.mov has no video that can be decoded here."))
        #expect(
            try await refusal(inset, "stacked", .timeCode).contains("main.mov has no time code to align it by"))
        #expect(try await refusal(inset, "stacked", .offset(5 * .second)).contains("lies wholly outside of"))
        #expect(try await refusal(inset, "x=90%,y=0,width=50%").contains("extends beyond the frame"))
        #expect(try await refusal(inset, "stacked", .audio).contains("no sound in common"))
    }
}
