package import EditProjects
import Imaging
package import MediaTypes

/// What stood where in composed frames, from the first to the last. Pure; times are running times.
package struct LayoutHistory: Sendable, Equatable {
    /// What makes a layout another one: somebody asked for it, or another camera took the main one's place.
    struct Shown: Sendable, Equatable {
        /// How often somebody did.
        let change: Int
        let choice: EditProject.LayoutChoice
    }

    private struct Step: Sendable, Equatable {
        let time: MediaTime
        let placements: [FeedPlacement]
        let choice: EditProject.LayoutChoice
        var isCut: Bool
    }

    private var steps: [Step] = []
    private var shown: Shown?
    /// Of a day with a change every minute; from there on only where layouts begin.
    private static let limit = 50_000

    /// A frame was composed.
    mutating func note(_ placements: [FeedPlacement], at time: MediaTime, _ shown: Shown) {
        // How far it has come is of interest where it begins.
        let isCut = shown.change != self.shown?.change || shown.choice.order != self.shown?.choice.order
        guard isCut || placements != steps.last?.placements && steps.count < Self.limit else { return }
        self.shown = shown
        steps.append(Step(time: time, placements: placements, choice: shown.choice, isCut: isCut))
    }

    /// The same in a recording's movie, across its pauses: of what was shown in one, or before the beginning, the last counts.
    ///
    /// - Parameter place: where a running time lies in the movie; `nil` where it has ended.
    package func steps(at place: (MediaTime) -> MediaTime?) -> [EditProject.LayoutStep] {
        var shown: [EditProject.LayoutStep] = []
        var (latest, before): (EditProject.LayoutChoice?, EditProject.LayoutChoice?)
        for step in steps {
            if step.isCut { (before, latest) = (latest, step.choice) }
            guard let start = place(step.time) else { continue }
            // What of the way to a layout lies in a pause is over behind it.
            let isHidden = place(step.time + .millisecond) == start
            var own = EditProject.LayoutStep(
                start: max(.zero, start), placements: step.placements, isCut: step.isCut || isHidden,
                choice: step.choice)
            // Nor is the layout before it what was shown last.
            if isHidden { own.choice?.origin = before.map { .init(layout: $0.layout, order: $0.order) } }
            if let last = shown.last, last.start == own.start {
                own.isCut = own.isCut || last.isCut
                shown.removeLast()
            }
            shown.append(own)
        }
        return shown
    }
}
