package import EditProjects
package import MediaTypes
package import MovieFiles
package import SystemPackage

/// Finished movies in one frame, as cameras are while they record: what ``ExportSession`` makes a movie of.
package struct MovieComposition: Sendable, Hashable {
    /// A layout from a time of the main movie on.
    package struct Step: Sendable, Hashable {
        package var time: MediaTime
        package var choice: EditProject.LayoutChoice

        package init(time: MediaTime, choice: EditProject.LayoutChoice) { (self.time, self.choice) = (time, choice) }
    }

    /// How it is found out when an inset begins in the main movie.
    package enum Alignment: Codable, Sendable, Hashable {
        /// By the time codes where all have one, else by their dates where those overlap, else all begin together.
        case automatic
        case dates
        case timeCode
        /// By what their microphones heard.
        case audio
        /// So long after the main movie, or before it.
        case offset(MediaTime)
    }

    /// Whose audio a composition has.
    package enum AudioOrigin: Codable, Sendable, Hashable {
        /// That of one of them, all its tracks; 0 is the main movie.
        case movie(Int)
        /// The first tracks of all, added up.
        case mixed
    }

    /// Its length is the movie's, and its chapters and audio go with it.
    package var main: FilePath
    /// One to three.
    package var insets: [FilePath]
    /// In order, the first at zero.
    package var steps: [Step]
    package var alignment = Alignment.automatic
    /// Whose audio it has.
    package var audio = AudioOrigin.movie(0)
    /// The main movie's if left out.
    package var chapters: [MovieInfo.Chapter]?

    package init(main: FilePath, insets: [FilePath], steps: [Step]) {
        (self.main, self.insets, self.steps) = (main, insets, steps)
    }

    var paths: [FilePath] { [main] + insets }
}
