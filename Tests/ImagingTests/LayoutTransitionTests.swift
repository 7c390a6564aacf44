import Imaging
import MediaTypes
import Testing

@Suite struct LayoutTransitionTests {
    private static let size = VideoSize(1920, 1080)
    private static let whole = PixelRectangle(x: 0, y: 0, width: 1920, height: 1080)

    private func places(_ text: String) throws -> [FeedPlacement] {
        try Layout(text).placements(in: Self.size, feeds: [Self.size, VideoSize(1280, 720)])
    }

    /// The same with the cameras' places exchanged.
    private func swapped(_ places: [FeedPlacement]) -> [FeedPlacement] {
        places.map { place in
            FeedPlacement(
                feed: 1 - place.feed, rectangle: place.rectangle,
                crop: CropRectangle(
                    x: 0, y: 0, width: place.feed == 0 ? 1280 : 1920, height: place.feed == 0 ? 720 : 1080))
        }
    }

    private func times(_ change: LayoutTransition) -> [[FeedPlacement]] {
        (0...40).map { change.placements(at: change.duration * $0 / 40) }
    }

    @Test func itBeginsAndEndsWithTheLayouts() throws {
        let change = LayoutTransition(
            from: try places("top-left"), to: try places("bottom-right,size=50%"), duration: .second)
        #expect(change.placements(at: .zero) == change.from && change.placements(at: -.second) == change.from)
        #expect(change.placements(at: .second) == change.to && change.placements(at: 100 * .second) == change.to)
        #expect(!change.isComplete(at: 999 * .millisecond) && change.isComplete(at: .second))
        let atOnce = LayoutTransition(from: change.from, to: change.to, duration: .zero)
        #expect(atOnce.isComplete(at: .zero) && atOnce.placements(at: .zero) == change.to)
    }

    /// Slow at both ends, never back, never beyond the frame.
    @Test func anInsetMovesOneWay() throws {
        let change = LayoutTransition(
            from: try places("top-left"), to: try places("bottom-right,size=50%"), duration: .second)
        let path = times(change).compactMap { $0.last?.rectangle }
        for (one, next) in zip(path, path.dropFirst()) {
            #expect(one.x <= next.x && one.y <= next.y && one.width <= next.width)
            #expect(next.x + next.width <= 1920 && next.y + next.height <= 1080)
        }
        #expect(path[1].x - path[0].x < path[20].x - path[19].x)
        // Half of the way from 32 to 928 at half of the time.
        #expect(path[20].x == 480)
    }

    @Test func whatComesOrLeavesFades() throws {
        let comes = LayoutTransition(from: try places("main-only"), to: try places("bottom-right"), duration: .second)
        let opacities = times(comes).map { $0.first { $0.feed == 1 }?.opacity ?? 0 }
        #expect(opacities == opacities.sorted() && opacities.first == 0 && opacities.last == 1 && opacities[20] == 0.5)
        let leaves = LayoutTransition(from: try places("bottom-right"), to: try places("main-only"), duration: .second)
        let falling = times(leaves).map { $0.first { $0.feed == 1 }?.opacity ?? 0 }
        #expect(zip(falling, opacities.reversed()).allSatisfy { abs($0 - $1) < 1e-9 })
    }

    /// Nothing but frames is seen at any time of a change between layouts without black.
    @Test(arguments: [
        ("main-only", "inset-only"), ("inset-only", "main-only"), ("inset-only", "bottom-right"),
        ("bottom-right", "inset-only"),
        ("main-only", "bottom-right"), ("bottom-right", "top-left"),
    ])
    func noBlackShowsThrough(from: String, to: String) throws {
        let change = LayoutTransition(from: try places(from), to: try places(to), duration: .second)
        for moment in times(change) {
            #expect(moment.contains { $0.rectangle == Self.whole && $0.opacity == 1 }, "\(moment)")
        }
    }

    /// From one moment to the next no pixel changes by more than motion and fading make it: what is in front was there before, or
    /// comes with little opacity.
    @Test func aSwapJumpsNowhere() throws {
        let from = try places("bottom-right")
        let change = LayoutTransition(from: from, to: swapped(from), duration: .second)
        let moments = times(change)
        for (one, next) in zip(moments, moments.dropFirst()) {
            #expect(next.contains { $0.rectangle == Self.whole && $0.opacity == 1 } || next.first?.feed == 0)
            for place in next.dropFirst() {
                let before = one.filter { $0.feed == place.feed }.map(\.rectangle)
                    .contains { abs($0.x - place.rectangle.x) < 200 && abs($0.width - place.rectangle.width) < 200 }
                #expect(before || place.opacity < 0.25, "\(place) was not there")
            }
        }
        #expect(moments.last == change.to && moments.last?.map(\.feed) == [1, 0])
    }

    /// Frames that stand apart pass each other on their way.
    @Test func aSwapOfFramesBesideEachOtherMovesBoth() throws {
        let from = try places("side-by-side")
        let change = LayoutTransition(from: from, to: swapped(from).reversed(), duration: .second)
        let middle = change.placements(at: 500 * .millisecond)
        #expect(middle.map(\.rectangle.x) == [480, 480] && middle.allSatisfy { $0.opacity == 1 })
    }

    /// A change that begins within another one begins where that one is.
    @Test func aChangeIsTakenUpOnItsWay() throws {
        let swap = LayoutTransition(
            from: try places("bottom-right"), to: swapped(try places("bottom-right")), duration: .second)
        let halfway = swap.placements(at: 700 * .millisecond)
        let back = LayoutTransition(from: halfway, to: swap.from, duration: .second)
        #expect(back.placements(at: .zero) == halfway && back.placements(at: .second) == swap.from)
        #expect(times(back).allSatisfy { !$0.isEmpty })
    }
}
