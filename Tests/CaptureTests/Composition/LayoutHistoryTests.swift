import EditProjects
import Imaging
import MediaTypes
import TestSupport
import Testing

@testable import Capture
@testable import Composition

/// Where layouts begin in a movie, by the running times of the frames that showed them.
@Suite struct LayoutHistoryTests {
    private func place(_ feed: Int, x: Int = 0) -> [FeedPlacement] {
        [
            FeedPlacement(
                feed: feed, rectangle: PixelRectangle(x: x, y: 0, width: 64, height: 36),
                crop: CropRectangle(x: 0, y: 0, width: 64, height: 36))
        ]
    }

    /// From 1 s to 2 s, and from 5 s on.
    private var timeline: RecordingTimeline {
        var timeline = RecordingTimeline(requested: .second, startsWithVideo: true)
        timeline.begin(at: .second)
        _ = timeline.pause(at: 2 * .second)
        timeline.pauseBegins(at: 2 * .second)
        _ = timeline.resume(at: 5 * .second)
        timeline.begin(at: 5 * .second)
        return timeline
    }

    private func shown(_ change: Int, _ order: [Int]) -> LayoutHistory.Shown {
        .init(
            change: change, choice: .init(layout: Layout(.corner(.topLeft)), order: order, transition: .zero))
    }

    private func steps(_ history: LayoutHistory, _ timeline: RecordingTimeline) -> [EditProject.LayoutStep] {
        history.steps { $0 < timeline.end ?? .max ? timeline.movieTime(of: $0) : nil }
    }

    @Test func `a frame like the one before is no step, and one on the way no cut`() {
        var history = LayoutHistory()
        history.note(place(0), at: .second, shown(0, [0, 1]))
        history.note(place(0), at: 1100 * .millisecond, shown(0, [0, 1]))
        history.note(place(0), at: 1200 * .millisecond, shown(1, [0, 1]))
        history.note(place(0, x: 2), at: 1300 * .millisecond, shown(1, [0, 1]))
        history.note(place(1), at: 1400 * .millisecond, shown(1, [1, 0]))
        let steps = self.steps(history, timeline)
        #expect(steps.map(\.start) == [0, 200, 300, 400].map { $0 * .millisecond })
        #expect(steps.map(\.isCut) == [true, true, false, true])
        #expect(steps.map { $0.placements[0].feed } == [0, 0, 0, 1])
    }

    @Test func `a way to a layout that went on in a pause has come as far where the recording goes on`() {
        var history = LayoutHistory()
        history.note(place(0), at: .second, shown(0, [0, 1]))
        for (index, time) in [1900, 2100, 2300, 5100].enumerated() {
            let choice = EditProject.LayoutChoice(
                layout: Layout(.sideBySide), order: [0, 1], transition: .second, elapsed: (time - 1900) * .millisecond)
            history.note(place(0, x: index + 1), at: time * .millisecond, .init(change: 1, choice: choice))
        }
        let steps = self.steps(history, timeline)
        #expect(steps.map(\.start) == [0, 900, 1000, 1100].map { $0 * .millisecond })
        #expect(steps.map(\.isCut) == [true, true, true, false])
        #expect(steps[2].choice?.elapsed == 400 * .millisecond)
        // At the end of a recording that ends in a pause there is none.
        var ended = timeline
        ended.end(at: 2 * .second)
        #expect(self.steps(history, ended).map(\.start) == [0, 900 * .millisecond])
    }

    @Test func `a layout that was asked for in a pause tells which one it followed there`() {
        var history = LayoutHistory()
        for (change, time) in [1000, 3000, 4900, 5500].enumerated() {
            let choice = EditProject.LayoutChoice(
                layout: Layout(.sideBySide), order: [change % 2, 1 - change % 2], transition: .second,
                elapsed: 10 * .millisecond)
            history.note(place(0, x: change), at: time * .millisecond, .init(change: change, choice: choice))
        }
        let steps = self.steps(history, timeline)
        #expect(steps.map(\.start) == [0, 1000, 1500].map { $0 * .millisecond })
        #expect(steps.map { $0.choice?.order } == [[0, 1], [0, 1], [1, 0]])
        // What was shown last was the first one.
        #expect(steps.map { $0.choice?.origin?.order } == [nil, [1, 0], nil])
    }

    @Test func `what changed before the beginning or in a pause begins with the next frame, the last of it`() {
        var history = LayoutHistory()
        for (index, time) in [0, 500, 1500, 3000, 4000, 5500].enumerated() {
            history.note(
                place(index % 2, x: index), at: time * .millisecond, shown(index / 2, [0, 1]))
        }
        let steps = self.steps(history, timeline)
        #expect(steps.map(\.start) == [0, 500, 1000, 1500].map { $0 * .millisecond })
        #expect(steps.map { $0.placements[0].rectangle.x } == [1, 2, 4, 5])
        #expect(steps.map(\.isCut) == [true, true, true, false])
        var ended = timeline
        ended.end(at: 5 * .second)
        #expect(self.steps(history, ended).count == 3)
    }
}
