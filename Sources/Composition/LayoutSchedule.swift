import EditProjects
package import Errors
package import Imaging
package import MediaTypes

/// What becomes of the places of several cameras' frames.
package enum LayoutChange: Sendable, Equatable {
    case to(Layout)
    /// The main camera and the first inset change places.
    case swap
    /// Some of the cameras alone, and back.
    case show(ShownCameras)
    /// Another layout, with another order of the cameras: the first is the main one.
    case arrange(Layout, order: [Int])
}

/// Which layout holds when: what was asked for, and the way from one to the next. Pure; times are running times.
package struct LayoutSchedule: Sendable {
    private(set) var layout: Layout
    /// The camera in each role: the first is the main one.
    private(set) var order: [Int]
    /// What stands again where one camera alone is shown now.
    private var layoutOfAll: Layout?
    /// How often another layout was asked for.
    private var changes = 0
    /// When it was asked for, and how long the way there was to take.
    private var latest = (begin: MediaTime.zero, duration: MediaTime.zero)
    private var change: (from: [FeedPlacement], begin: MediaTime, duration: MediaTime)?
    /// The cameras that were shown last, in their roles.
    private var shown: [Int]

    /// An inset whose camera says nothing is dimmed after so long, this fast, to this opacity.
    private static let dimming = (after: 2 * MediaTime.second, duration: 500 * MediaTime.millisecond, opacity: 0.4)

    /// A camera in the main place that has said nothing for so long is not shown there.
    private static let handOver = MediaTime.second

    package init(_ layout: Layout, cameras: Int) {
        self.layout = layout
        order = Array(0..<cameras)
        shown = order
    }

    /// Whether a layout can be had with these cameras.
    ///
    /// - Parameters:
    ///   - output: of the composed frame.
    ///   - sizes: of each camera's frames.
    /// - Throws: ``RushesError`` that says why not.
    package func check(_ layout: Layout, output: VideoSize, sizes: [VideoSize]) throws(RushesError) {
        _ = try Self.placements(layout, order, output, sizes)
    }

    /// Goes to another layout from a running time on.
    package mutating func make(
        _ wanted: LayoutChange, at time: MediaTime, over duration: MediaTime, output: VideoSize, sizes: [VideoSize]
    ) {
        change = (arranged(shown, at: time, output, sizes), time, duration)
        changes += 1
        latest = (time, duration)
        switch wanted {
        case .to(let layout): (self.layout, layoutOfAll) = (layout, nil)
        case .swap: if order.count > 1 { order.swapAt(0, 1) }
        case .arrange(let layout, let order):
            (self.layout, self.order, layoutOfAll) = (layout, order, nil)
            // What follows it before the next frame begins there.
            if duration <= .zero { shown = order }
        case .show(let cameras): show(cameras)
        }
    }

    private mutating func show(_ cameras: ShownCameras) {
        let all = layoutOfAll ?? layout
        switch cameras {
        case .all: (layout, layoutOfAll) = (all, nil)
        case .main: (layout, layoutOfAll) = (Layout(.mainOnly), all)
        case .inset: (layout, layoutOfAll) = (Layout(.insetOnly), all)
        }
    }

    /// Where each camera's frame is drawn, from the back to the front; the feeds are the cameras' numbers.
    ///
    /// A main place whose camera says nothing goes to the next one in the order.
    ///
    /// - Parameters:
    ///   - silence: for how long each camera has said nothing, if it is silent.
    ///   - missing: cameras of which there is nothing to show.
    package mutating func placements(
        at time: MediaTime, output: VideoSize, sizes: [VideoSize], silence: [MediaTime?] = [],
        missing: Set<Int> = []
    ) -> [FeedPlacement] {
        shown = present(silence, missing)
        var placements = arranged(shown, at: time, output, sizes)
        for index in placements.indices {
            let feed = placements[index].feed
            guard feed != shown[0], silence.indices.contains(feed), let silence = silence[feed] else { continue }
            let share = min(1, max(0, (silence - Self.dimming.after) / Self.dimming.duration))
            placements[index].opacity *= 1 - share * (1 - Self.dimming.opacity)
        }
        return placements
    }

    /// The same with the cameras in these roles, and none dimmed.
    private mutating func arranged(
        _ order: [Int], at time: MediaTime, _ output: VideoSize, _ sizes: [VideoSize]
    ) -> [FeedPlacement] {
        // What fitted before a camera changed its size: the main one alone always does.
        let wanted =
            (try? Self.placements(layout, order, output, sizes))
            ?? (try? Self.placements(Layout(.mainOnly), order, output, sizes)) ?? []
        guard let change else { return wanted }
        let transition = LayoutTransition(from: change.from, to: wanted, duration: change.duration)
        if transition.isComplete(at: time - change.begin) { self.change = nil }
        return transition.placements(at: time - change.begin)
    }

    /// The cameras in their roles without those of which nothing is to be shown.
    private func present(_ silence: [MediaTime?], _ missing: Set<Int>) -> [Int] {
        let isMainGone = silence.indices.contains(order[0]) && silence[order[0]].map { $0 >= Self.handOver } == true
        let present = order.filter { !missing.contains($0) && !(isMainGone && $0 == order[0]) }
        return present.isEmpty ? order : present
    }

    /// What is shown, for the history.
    func shown(at time: MediaTime, _ silence: [MediaTime?], _ missing: Set<Int>) -> LayoutHistory.Shown {
        .init(
            change: changes,
            choice: .init(
                layout: layout, order: present(silence, missing), transition: latest.duration,
                elapsed: latest.duration > .zero ? time - latest.begin : .zero))
    }

    private static func placements(
        _ layout: Layout, _ order: [Int], _ output: VideoSize, _ sizes: [VideoSize]
    ) throws(RushesError) -> [FeedPlacement] {
        var placements = try layout.placements(in: output, feeds: order.map { sizes[$0] })
        for index in placements.indices { placements[index].feed = order[placements[index].feed] }
        return placements
    }
}
