package import EditProjects
public import Imaging
public import MediaTypes
package import MovieFiles
public import SystemPackage

/// Finished movies in one frame, as cameras are while they record: what an ``ExportSession`` makes a movie of.
///
/// Length, frame rate, chapters and metadata are the main movie's. Each main frame stands with the newest one of every inset that
/// is not later; before an inset's first frame and after its last, the others are shown without it.
public struct MovieComposition: Sendable, Hashable {
    /// A layout from a time of the main movie on.
    package struct Step: Sendable, Hashable {
        package var time: MediaTime
        package var choice: EditProject.LayoutChoice

        package init(time: MediaTime, choice: EditProject.LayoutChoice) { (self.time, self.choice) = (time, choice) }
    }

    /// How it is found out when an inset begins in the main movie.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Alignment: Codable, Sendable, Hashable {
        /// By the time codes where both have one, else by their dates where those overlap, else both begin together.
        case automatic
        /// By the dates of their making, which some files keep to the second only.
        case dates
        /// By the time codes of their first frames.
        case timeCode
        /// By what both microphones recorded, to a thousandth of a second; and how far their clocks drift apart.
        case audio
        /// So long after the main movie, or before it.
        case offset(MediaTime)
    }

    /// Whose audio a composition has.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum AudioOrigin: Codable, Sendable, Hashable {
        /// That of one of them, all its tracks; 0 is the main movie, 1 the first inset. Of an inset whose clock runs at another pace than
        /// the main movie's it is the first track, in stereo at 48 kHz.
        case movie(Int)
        /// The first tracks of all, added up.
        case mixed
    }

    package var main: FilePath
    /// One to three.
    package var insets: [FilePath]
    /// In order, the first at zero.
    package var steps: [Step]
    /// How it is found out when insets begin; automatic unless set, and of a project ``Alignment/offset(_:)`` of zero.
    public var alignment = Alignment.automatic
    /// Whose audio it has; the main movie's unless set.
    public var audio = AudioOrigin.movie(0)
    /// How players turn the composed movie, as a recording's was.
    package var orientation = MovieOrientation.upright
    /// The main movie's if left out.
    package var chapters: [MovieInfo.Chapter]?

    package init(main: FilePath, insets: [FilePath], steps: [Step]) {
        (self.main, self.insets, self.steps) = (main, insets, steps)
    }

    /// - Parameters:
    ///   - insets: one to three.
    ///   - layout: from the beginning on.
    public init(main: FilePath, insets: [FilePath], layout: Layout = Layout(.corner(.bottomRight))) {
        var settings = CompositionSettings()
        settings.layouts = [.init(layout, from: .zero)]
        self.init(main: main, insets: insets, settings)
    }

    /// Another layout from a time of the main movie on, until the next.
    ///
    /// - Parameter duration: how long frames take to their places.
    public mutating func setLayout(_ layout: Layout, at time: MediaTime, over duration: MediaTime = .zero) {
        let choice = EditProject.LayoutChoice(
            layout: layout, order: Array(0...insets.count), transition: max(.zero, duration))
        let place = steps.firstIndex { $0.time > time } ?? steps.endIndex
        steps.insert(Step(time: max(.zero, time), choice: choice), at: place)
    }

    var paths: [FilePath] { [main] + insets }
}
