import Errors
package import MediaTypes
package import SystemPackage

/// A completed file.
package struct FinishedFile: Sendable, Equatable {
    /// What went wrong with a file that is there all the same.
    package enum Fault: Sendable, Equatable {
        /// Not all of it could be written; why, for people.
        case writing(String)
        /// Somebody took its name away; what happened, for people.
        case lost(String)
    }

    /// Where the movie is.
    package var path: FilePath
    /// Its size in bytes.
    package var size: Int64
    /// Frames in it, by its own index.
    package var frames = 0
    /// How long it lasts, by its own index.
    package var duration = MediaTime.zero
    /// Whether the index could be completed; otherwise the file is the fragments, which play.
    package var isComplete: Bool
    /// What kept all from being in it, or it from where it belongs; `nil` where nothing did.
    package var fault: Fault?
    /// What kept it from being complete or whole, or `nil`.
    package var problem: String?
}

/// Without a frame or an audio there is no movie.
let nothingRecorded = RushesError(.nothingRecorded, "Nothing was recorded, so there is no file.")
