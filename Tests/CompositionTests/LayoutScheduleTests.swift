import Errors
import Imaging
import MediaTypes
import TestSupport
import Testing

@testable import Composition

@Suite struct LayoutScheduleTests {
    private let output = VideoSize(1280, 720)
    private let sizes = [VideoSize(1280, 720), VideoSize(640, 480)]

    private func feeds(_ schedule: inout LayoutSchedule, at time: MediaTime) -> [FeedPlacement] {
        schedule.placements(at: time, output: output, sizes: sizes)
    }

    @Test func `a swap ends with the other camera behind and the first one as inset`() {
        var schedule = LayoutSchedule(Layout(.corner(.topLeft)), cameras: 2)
        #expect(feeds(&schedule, at: 0).map(\.feed) == [0, 1])
        schedule.make(.swap, at: .second, over: .second / 2, output: output, sizes: sizes)
        #expect(feeds(&schedule, at: 2 * .second).map(\.feed) == [1, 0])
        schedule.make(.swap, at: 3 * .second, over: .zero, output: output, sizes: sizes)
        #expect(feeds(&schedule, at: 3 * .second).map(\.feed) == [0, 1])
    }

    @Test func `one camera alone is shown until all are asked for, or another layout`() {
        let asked = Layout(.corner(.topLeft))
        var schedule = LayoutSchedule(asked, cameras: 2)
        func shown(_ change: LayoutChange) -> Layout.Arrangement {
            schedule.make(change, at: .zero, over: .zero, output: output, sizes: sizes)
            return schedule.layout.arrangement
        }
        #expect(shown(.show(.all)) == asked.arrangement)
        #expect(shown(.show(.inset)) == .insetOnly)
        #expect(shown(.show(.main)) == .mainOnly)
        #expect(shown(.show(.all)) == asked.arrangement)
        #expect(shown(.show(.inset)) == .insetOnly)
        #expect(shown(.to(Layout(.sideBySide))) == .sideBySide)
        #expect(shown(.show(.all)) == .sideBySide)
    }

    @Test func `a change that comes within another begins where that one is`() throws {
        var schedule = LayoutSchedule(Layout(.corner(.topLeft)), cameras: 2)
        func inset(_ time: MediaTime) throws -> PixelRectangle {
            try #require(feeds(&schedule, at: time).first { $0.feed == 1 }).rectangle
        }
        schedule.make(.to(Layout(.corner(.topRight))), at: .zero, over: .second, output: output, sizes: sizes)
        let half = try inset(.second / 2)
        schedule.make(.to(Layout(.corner(.topLeft))), at: .second / 2, over: .second, output: output, sizes: sizes)
        #expect(try inset(.second / 2) == half)
        #expect(try inset(2 * .second) == Layout(.corner(.topLeft)).placements(in: output, feeds: sizes)[1].rectangle)
    }

    @Test func `a way begins where the cameras were put at once just before, also before a frame shows them there`() {
        var schedule = LayoutSchedule(Layout(.corner(.topLeft)), cameras: 2)
        _ = feeds(&schedule, at: .zero)
        let arranged = LayoutChange.arrange(Layout(.sideBySide), order: [1, 0])
        schedule.make(arranged, at: .second, over: .zero, output: output, sizes: sizes)
        schedule.make(arranged, at: .second, over: .second, output: output, sizes: sizes)
        let places = feeds(&schedule, at: .second)
        #expect(places.map(\.feed) == [1, 0])
        #expect(places == feeds(&schedule, at: 3 * .second))
    }

    @Test func `an inset without frames dims after two seconds`() {
        var schedule = LayoutSchedule(Layout(.corner(.topLeft)), cameras: 2)
        func opacities(_ silence: MediaTime) -> [Double] {
            schedule.placements(at: .zero, output: output, sizes: sizes, silence: [nil, silence]).map(\.opacity)
        }
        #expect(opacities(2 * .second) == [1, 1])
        #expect(opacities(10 * .second) == [1, 0.4])
    }

    @Test func `a main place whose camera says nothing goes to the other one, after a swap too`() {
        for isSwapped in [false, true] {
            var schedule = LayoutSchedule(Layout(.corner(.topLeft)), cameras: 2)
            if isSwapped { schedule.make(.swap, at: .zero, over: .zero, output: output, sizes: sizes) }
            func feeds(_ silence: MediaTime?) -> [Int] {
                let all = isSwapped ? [nil, silence] : [silence, nil]
                return schedule.placements(at: .second, output: output, sizes: sizes, silence: all).map(\.feed)
            }
            #expect(feeds(.second / 2) == (isSwapped ? [1, 0] : [0, 1]))
            #expect(feeds(2 * .second) == (isSwapped ? [0] : [1]))
        }
    }

    @Test func `a layout that cannot be is refused, and a camera of another size does not end the movie`() throws {
        var schedule = LayoutSchedule(Layout(.corner(.topLeft)), cameras: 2)
        let wide = try Layout("x=90%,y=0,width=50%")
        #expect(throws: RushesError.self) { try schedule.check(wide, output: output, sizes: sizes) }
        schedule.make(.to(wide), at: .zero, over: .zero, output: output, sizes: sizes)
        #expect(feeds(&schedule, at: .second).map(\.feed) == [0])
    }

    @Test func `a change begins with what is shown while the main camera says nothing`() {
        var schedule = LayoutSchedule(Layout(.corner(.topLeft)), cameras: 2)
        func shown(_ time: MediaTime) -> [FeedPlacement] {
            schedule.placements(at: time, output: output, sizes: sizes, silence: [5 * .second, nil])
        }
        let before = shown(.second)
        #expect(before.map(\.feed) == [1])
        schedule.make(.swap, at: .second, over: .second, output: output, sizes: sizes)
        #expect(shown(.second) == before)
        // It stays where it is, and the other one, whose last frame is all there is, comes before it.
        #expect(shown(3 * .second / 2).map(\.feed) == [1, 0])
        #expect(shown(3 * .second / 2).first == before.first)
    }
}
