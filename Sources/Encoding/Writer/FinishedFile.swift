public import SystemPackage

/// A completed file.
public struct FinishedFile: Sendable, Equatable {
    /// What went wrong with a file that is there all the same.
    public enum Fault: Sendable, Equatable {
        /// Not all of it could be written; why, for people.
        case writing(String)
        /// Somebody took its name away; what happened, for people.
        case lost(String)
    }

    /// Where the movie is.
    public var path: FilePath
    /// Its size in bytes.
    public var size: Int64
    /// Frames in it, by its own index.
    public var frames = 0
    /// Seconds, by its own index.
    public var duration = 0.0
    /// Whether the index could be completed; otherwise the file is the fragments, which play.
    public var isComplete: Bool
    /// What kept all from being in it, or it from where it belongs; `nil` where nothing did.
    public var fault: Fault?
    /// What kept it from being complete or whole, or `nil`.
    public var problem: String?
}
