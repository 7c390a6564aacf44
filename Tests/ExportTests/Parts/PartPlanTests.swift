import Errors
import MediaTypes
import MovieFiles
import Testing

@testable import Export

/// Where several parts begin and end, and when they are shown.
@Suite(.timeLimit(.minutes(10))) struct PartPlanTests {
    private static func ms(_ value: Int) -> MediaTime { value * MediaTime.millisecond }
    private static func part(_ start: Int, _ end: Int?) -> TimeRange { TimeRange(start: ms(start), end: end.map(ms)) }
    /// 25 frames a second for 4 s, from 20 ms on.
    private static let grid = FrameGrid((0..<100).map { ms(20 + 40 * $0) }, end: ms(4020))

    @Test func `parts have the whole frames that begin in them`() {
        func frames(_ start: Int, _ end: Int) -> [Int64] {
            let range = Self.grid.frames(of: Self.ms(start)..<Self.ms(end))
            return [range.lowerBound, range.upperBound].map { $0.nanoseconds / 1_000_000 }
        }
        #expect(frames(20, 1020) == [20, 1020])
        // The length counts from the first frame.
        #expect(frames(0, 1000) == [20, 1020])
        #expect(frames(30, 1030) == [60, 1060])
        #expect(frames(30, 1000) == [60, 1060])
        #expect(frames(3990, 4020) == [4020, 4020])
        #expect(frames(3900, 4000) == [3900, 4020])
        // What is far away from any frame stays as it is.
        #expect(frames(3000, 9000) == [3020, 9020])
    }

    @Test func `they follow each other, also backwards and twice`() throws {
        let plan = try PartPlan(
            [Self.part(2000, 3000), Self.part(0, 500), Self.part(2900, nil)], lasting: Self.ms(4020), grid: Self.grid,
            of: "a.mov")
        #expect(plan.parts.map { $0.start.nanoseconds / 1_000_000 } == [2020, 20, 2900])
        #expect(plan.parts.map { ($0.end?.nanoseconds ?? 0) / 1_000_000 } == [3020, 540, 4020])
        #expect(plan.parts.map { $0.offset.nanoseconds / 1_000_000 } == [0, 1000, 1520])
        #expect(plan.duration == Self.ms(2640))
    }

    @Test func `no frame is in two parts of which one begins where the other ends`() throws {
        // The first frame is shown two frames late, as where no edit list tells of reordered ones.
        let grid = FrameGrid((0..<100).map { Self.ms(80 + 40 * $0) }, end: Self.ms(4080))
        let plan = try PartPlan(
            [Self.part(0, 1000), Self.part(1000, 2010), Self.part(2010, nil)], lasting: Self.ms(4080), grid: grid,
            of: "a.mp4")
        #expect(plan.parts.map { $0.start.nanoseconds / 1_000_000 } == [80, 1000, 2040])
        #expect(plan.parts.map { ($0.end?.nanoseconds ?? 0) / 1_000_000 } == [1000, 2040, 4080])
    }

    @Test func `an end that nobody knows is only the last one's`() throws {
        let open = try PartPlan([Self.part(0, 500), Self.part(1000, nil)], lasting: nil, grid: nil, of: "a.ts")
        #expect(open.parts[1].end == nil && open.duration == nil)
        #expect(throws: RushesError.self) {
            try PartPlan([Self.part(0, nil), Self.part(1000, nil)], lasting: nil, grid: nil, of: "a.ts")
        }
        #expect(throws: RushesError.self) {
            try PartPlan([Self.part(0, 500), Self.part(4005, 4010)], lasting: Self.ms(4020), grid: Self.grid, of: "a")
        }
    }

    @Test func `each part begins with the chapter that it lies in, unless that goes on`() throws {
        let chapters = [(0, "one"), (1000, "two"), (2000, "three")].map {
            MovieInfo.Chapter(start: Self.ms($0.0), title: $0.1)
        }
        func titles(_ ranges: [TimeRange]) throws -> [String] {
            try PartPlan(ranges, lasting: Self.ms(4000), grid: nil, of: "a").chapters(chapters).map {
                "\($0.start.nanoseconds / 1_000_000) \($0.title)"
            }
        }
        #expect(try titles([Self.part(500, 1500), Self.part(2500, 3000)]) == ["0 one", "500 two", "1000 three"])
        #expect(try titles([Self.part(2500, 3000), Self.part(0, 200)]) == ["0 three", "500 one"])
        #expect(try titles([Self.part(100, 200), Self.part(300, 400), Self.part(900, 1100)]) == ["0 one", "300 two"])
    }
}
