import Errors
import MediaTypes
import MovieFiles
import Testing

@testable import Export

/// Where the files begin and end that are made of one movie.
@Suite(.timeLimit(.minutes(10))) struct SeparatePartsTests {
    private static func ms(_ value: Int) -> MediaTime { value * MediaTime.millisecond }
    private static func range(_ start: Int, _ end: Int?) -> PartChoice {
        .range(TimeRange(start: ms(start), end: end.map(ms)))
    }
    private static func chapter(_ start: Int, _ title: String) -> MovieInfo.Chapter {
        .init(start: ms(start), title: title)
    }

    /// 25 frames a second for 10 s; every 32nd is a key frame.
    private static func movie(
        _ chapters: [MovieInfo.Chapter] = [], copies: Bool = false, duration: Int? = 10_000, hasGrid: Bool = true
    ) -> SeparateParts.Movie {
        let frames = (0..<250).map { ms(40 * $0) }
        let keys = stride(from: 0, to: 250, by: 32).map { frames[$0] }
        return .init(
            name: "a.mov", chapters: chapters, duration: duration.map(ms),
            grid: hasGrid ? FrameGrid(frames, end: ms(10_000), keyFrames: [keys]) : nil, copiesFrames: copies)
    }

    private func places(_ parts: SeparateParts) -> [[Int64?]] {
        parts.parts.map { part in
            [part.range.start.nanoseconds / 1_000_000, part.range.end.map { $0.nanoseconds / 1_000_000 }]
        }
    }

    @Test func `pieces follow each other with whole frames, and the last one goes to the end`() throws {
        let parts = try SeparateParts([.every(Self.ms(3010))], of: Self.movie())
        #expect(places(parts) == [[0, 3040], [3040, 6040], [6040, 9040], [9040, nil]])
        #expect(parts.parts.map(\.isContinued) == [true, true, true, false] && parts.notes.isEmpty)
        #expect(parts.parts.last?.end == Self.ms(10_000))
        let audio = try SeparateParts([.every(Self.ms(3010))], of: Self.movie(hasGrid: false))
        #expect(places(audio) == [[0, 3010], [3010, 6020], [6020, 9030], [9030, nil]])
    }

    @Test func `copied pieces begin with key frames where those are near, and a line tells how long they are`() throws {
        let parts = try SeparateParts([.every(Self.ms(3000))], of: Self.movie(copies: true))
        #expect(places(parts) == [[0, 3840], [3840, 6400], [6400, nil]])
        #expect(parts.notes.count == 1 && parts.notes[0].contains("2.56 to 3.84 s"))
        // Farther away than half a piece, so it begins with the frame itself.
        let short = try SeparateParts([.every(Self.ms(1000))], of: Self.movie(copies: true))
        #expect(places(short).prefix(3) == [[0, 1280], [1280, 2000], [2000, 3000]], "\(places(short))")
    }

    @Test func `what is left at the end is no piece where it is next to nothing`() throws {
        let parts = try SeparateParts([.every(Self.ms(9960))], of: Self.movie())
        #expect(places(parts) == [[0, nil]])
        #expect(try places(SeparateParts([.every(Self.ms(4000))], of: Self.movie(duration: 8_100))).count == 2)
        #expect(try places(SeparateParts([.every(Self.ms(4000))], of: Self.movie(duration: 8_500))).count == 3)
        #expect(try places(SeparateParts([.every(Self.ms(60_000))], of: Self.movie())) == [[0, nil]])
    }

    @Test func `chapters are parts with their titles, from the movie's beginning to its end`() throws {
        let chapters = [
            Self.chapter(5000, "Two"), Self.chapter(1010, "One"), Self.chapter(5010, "None"), Self.chapter(5045, "3"),
            Self.chapter(12_000, "Late"),
        ]
        let parts = try SeparateParts([.chapters(nil)], of: Self.movie(chapters))
        #expect(places(parts) == [[0, 5000], [5000, 5040], [5040, 5080], [5080, nil]])
        #expect(parts.parts.map(\.title) == ["One", "Two", "None", "3"])
        // A chapter that begins within a frame begins with the next one, and so does its part.
        #expect(parts.parts[0].chapters == [Self.chapter(1040, "One")])
        #expect(parts.notes.count == 2, "\(parts.notes)")
        #expect(parts.notes.contains { $0.contains("before the first chapter") })
        #expect(parts.notes.contains { $0.contains("after the movie's end (1)") })
    }

    @Test func `chapters without a frame have no file, and a line says so`() throws {
        let chapters = [Self.chapter(0, "One"), Self.chapter(5000, "Two"), Self.chapter(5000, "Three")]
        let parts = try SeparateParts([.chapters(nil)], of: Self.movie(chapters))
        #expect(parts.parts.map(\.title) == ["One", "Three"])
        #expect(parts.notes == ["There is no file of chapter 2 (“Two”), which has no frame."])
    }

    @Test func `some chapters are named by their numbers, beside times`() throws {
        let chapters = (0..<5).map { Self.chapter($0 * 2000, "\($0 + 1)") }
        let choices: [PartChoice] = [.chapters([4...5, 2...2]), Self.range(100, 2_000)]
        let parts = try SeparateParts(choices, of: Self.movie(chapters))
        #expect(places(parts) == [[6000, 8000], [8000, nil], [2000, 4000], [120, 2000]])
        #expect(parts.parts.map(\.title) == ["4", "5", "2", nil])
        #expect(parts.parts.map(\.isContinued) == [true, false, false, true])
        let joined = try SeparateParts.ranges(ofChapters: [4...5, 2...2], of: Self.movie(chapters))
        #expect(joined.map(\.start) == [6000, 2000].map(Self.ms) && joined.map(\.end) == [10_000, 4000].map(Self.ms))
    }

    @Test(
        arguments: [
            ([.chapters(nil)], nil, "has no chapters"), ([.chapters([1...3])], "One", "1 chapter, and no chapter 3"),
            ([range(0, 1000), range(1010, 1030)], nil, "begins in part 2"),
            ([.every(ms(1) / 1000)], nil, "10000 files"),
        ] as [([PartChoice], String?, String)])
    func `what the movie does not have is refused`(choices: [PartChoice], chapter: String?, phrase: String) throws {
        let movie = Self.movie(chapter.map { [Self.chapter(0, $0)] } ?? [])
        let error = #expect(throws: RushesError.self) { try SeparateParts(choices, of: movie) }
        #expect(
            error?.code == .invalidSettings && error?.description.contains(phrase) == true,
            "\(String(describing: error))")
    }

    @Test func `pieces need a length`() {
        let error = #expect(throws: RushesError.self) {
            try SeparateParts([.every(Self.ms(1000))], of: Self.movie(duration: nil))
        }
        #expect(error?.description.contains("does not say how long it lasts") == true)
    }
}
