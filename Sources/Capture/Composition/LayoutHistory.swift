import EditProjects
import Imaging
import MediaTypes

/// What stood where in composed frames, from the first to the last. Pure; times are running times.
struct LayoutHistory: Sendable, Equatable {
    /// What makes a layout another one: somebody asked for it, or another camera took the main one's place.
    struct Layout: Sendable, Equatable {
        /// How often somebody did.
        let change: Int
        /// The camera in each role.
        let order: [Int]
    }

    private struct Step: Sendable, Equatable {
        let time: MediaTime
        let placements: [FeedPlacement]
        var isCut: Bool
    }

    private var steps: [Step] = []
    private var layout: Layout?
    /// Of a day with a change every minute; from there on only where layouts begin.
    private static let limit = 50_000

    /// A frame was composed.
    mutating func note(_ placements: [FeedPlacement], at time: MediaTime, layout: Layout) {
        let isCut = layout != self.layout
        guard isCut || placements != steps.last?.placements && steps.count < Self.limit else { return }
        self.layout = layout
        steps.append(Step(time: time, placements: placements, isCut: isCut))
    }

    /// The same in a recording's movie, across its pauses: of what was shown in one, or before the beginning, the last counts.
    ///
    /// - Parameter place: where a running time lies in the movie; `nil` where it has ended.
    func steps(at place: (MediaTime) -> MediaTime?) -> [EditProject.LayoutStep] {
        var shown: [EditProject.LayoutStep] = []
        for step in steps {
            guard let start = place(step.time) else { continue }
            var own = EditProject.LayoutStep(
                start: max(.zero, start), placements: step.placements, isCut: step.isCut)
            if let last = shown.last, last.start == own.start {
                own.isCut = own.isCut || last.isCut
                shown.removeLast()
            }
            shown.append(own)
        }
        return shown
    }
}
