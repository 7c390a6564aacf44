import MovieFiles

/// The file at the end of a ``MovieWriter``'s pipeline.
protocol MovieOutputFile: Sendable {
    var bytesWritten: Int64 { get }
    var failure: (any Error)? { get }
    /// Gets ready before the pipeline starts.
    func open() throws
    /// Completes the file and gives it its name; the pipeline writes no more.
    ///
    /// - Parameter chapters: named while it was recorded. A container that must know them before cannot keep them.
    func finish(chapters: [MovieInfo.Chapter]) throws -> FinishedFile
    /// Takes the file away again, if it was created; the pipeline writes no more.
    func discard()
}
