/// The file at the end of a ``MovieWriter``'s pipeline.
protocol MovieOutputFile: Sendable {
    var bytesWritten: Int64 { get }
    var failure: (any Error)? { get }
    /// Gets ready before the pipeline starts.
    func open() throws
    /// Completes the file and gives it its name; the pipeline writes no more.
    func finish() throws -> FinishedFile
    /// Takes the file away again, if it was created; the pipeline writes no more.
    func discard()
}
