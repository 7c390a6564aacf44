package import Encoding
package import SystemPackage

/// What one export of a batch is to do.
package struct BatchWork: Sendable {
    /// What is read.
    package let input: FilePath
    /// What is drawn into it.
    package let insets: [FilePath]
    /// What is made of it.
    package let settings: ExportSettings
    /// In the batch's work folder; the batch gives it its name when it is complete.
    package let destination: MovieDestination
    /// Bytes that have to be free on its disk before it begins; as many as for any export if left out.
    package let minimumFreeSpace: Int64?
    /// Where a frame of the latest moment may be put; `nil` where nobody looks.
    package let thumbnail: FilePath?
}

/// One export of a batch: the real one is an ``ExportSession``.
package struct BatchExport: Sendable {
    /// Exports, telling how far it is; cancelled with its task.
    let run: @Sendable (_ report: @escaping @Sendable (ExportProgress) async -> Void) async throws -> ExportResult
    let pause: @Sendable () async -> Void
    let resume: @Sendable () async -> Void

    /// - Parameters:
    ///   - run: exports, telling how far it is; it is cancelled with its task, and throws what went wrong.
    ///   - pause: holds it; nothing where it cannot be held.
    ///   - resume: lets it go on.
    package init(
        run:
            @escaping @Sendable (_ report: @escaping @Sendable (ExportProgress) async -> Void) async throws ->
            ExportResult,
        pause: @escaping @Sendable () async -> Void = {}, resume: @escaping @Sendable () async -> Void = {}
    ) {
        (self.run, self.pause, self.resume) = (run, pause, resume)
    }
}

/// Makes the export of an item; called once for each try.
package typealias BatchExporter = @Sendable (BatchWork) -> BatchExport
