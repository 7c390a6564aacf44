import EditProjects
package import Imaging
package import MediaTypes

/// How movies are composed, whichever they are.
///
/// It is `Codable` as the manifest of a batch keeps it, and `Hashable` so that a changed wish is noticed on a resume.
package struct CompositionSettings: Codable, Sendable, Hashable {
    /// A layout from a time of the main movie on.
    package struct TimedLayout: Codable, Sendable, Hashable {
        /// As ``Layout`` reads it.
        package var layout: String
        package var time: MediaTime

        package init(_ layout: Layout, from time: MediaTime) { (self.layout, self.time) = (layout.description, time) }
    }

    /// None: a project's own, or the corner at the lower right.
    package var layouts: [TimedLayout] = []
    /// How long frames take to their places in another layout.
    package var transition: MediaTime = 500 * .millisecond
    /// `nil`: found out, or of a project at once, as all its movies begin together.
    package var alignment: MovieComposition.Alignment?
    package var audio = MovieComposition.AudioOrigin.movie(0)

    package init() {}

    /// What ``layouts`` say, in order and with one from the beginning on.
    ///
    /// - Parameter count: how many movies there are.
    func steps(_ count: Int) -> [MovieComposition.Step] {
        func step(_ layout: Layout, _ time: MediaTime) -> MovieComposition.Step {
            .init(time: time, choice: .init(layout: layout, order: Array(0..<count), transition: transition))
        }
        let timed = layouts.compactMap { timed in (try? Layout(timed.layout)).map { step($0, timed.time) } }
            .sorted { $0.time < $1.time }
        return timed.first?.time == .zero ? timed : [step(Layout(.corner(.bottomRight)), .zero)] + timed
    }
}
