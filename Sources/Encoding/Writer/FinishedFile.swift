public import SystemPackage

/// A completed file.
public struct FinishedFile: Sendable, Equatable {
    /// Where the movie is.
    public var path: FilePath
    /// Its size in bytes.
    public var size: Int64
    /// Whether the index could be completed; otherwise the file is the fragments, which play.
    public var isComplete: Bool
    /// What kept it from being complete or whole, or `nil`.
    public var problem: String?
}
