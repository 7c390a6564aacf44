import FileSystem
import MediaTypes
import MovieFiles
import SystemPackage

/// The file at the end of a ``MovieWriter``'s pipeline.
protocol MovieOutputFile: Sendable {
    var bytesWritten: Int64 { get }
    var failure: (any Error)? { get }
    /// Whether a frame or sample lies in it that a player finds, and not its head alone.
    var holdsSamples: Bool { get }
    /// How long the disk takes for what it is given. Never waits for it.
    var diskDelay: MediaTime { get }
    /// Where it was created, until it is complete.
    var path: FilePath? { get }
    /// Where the file is by now. Blocks as long as the disk does.
    var whereabouts: FileWhereabouts { get }
    /// Bytes free on its disk; `nil` where it is not open. Blocks as long as the disk does.
    var freeBytes: Int64? { get }
    /// Gets ready before the pipeline starts.
    func open() throws
    /// Completes the file and gives it its name; the pipeline writes no more.
    ///
    /// - Parameters:
    ///   - chapters: named while it was recorded. A container that must know them before cannot keep them.
    ///   - isWhole: whether the pipeline came to its end, so that the muxer has written its last word.
    func finish(chapters: [MovieInfo.Chapter], isWhole: Bool) throws -> FinishedFile
    /// Bytes that were kept of a file that has lost its name, while that goes on.
    var keptBytes: Int64 { get }
    /// Looks once more where the complete file is, as its end is about to be told: it may have got another name, or lost it.
    ///
    /// - Returns: `nil` where it is as it was.
    func settle() throws -> SettledFile?
    /// Puts what another encoder's frames need into the description of the frames, before the first of them.
    ///
    /// - Parameter codecData: `avcC` or `hvcC` with all that are needed.
    func describe(codecData: [UInt8])
    /// Takes the file away again, if it was created; the pipeline writes no more.
    func discard()
}

extension MovieOutputFile {
    var whereabouts: FileWhereabouts { .here }
    var freeBytes: Int64? { nil }
    var path: FilePath? { nil }
    var diskDelay: MediaTime { .zero }
    var keptBytes: Int64 { 0 }
    func settle() -> SettledFile? { nil }
    func describe(codecData: [UInt8]) {}
}
