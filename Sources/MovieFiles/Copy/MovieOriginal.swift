import FileSystem
package import SystemPackage

/// A movie that is copied: open, guarded against writers and its index read once, for all copies and parts that are made of it.
///
/// It stays open as long as this object lives.
package final class MovieOriginal: Sendable {
    let file: ReadableFile
    let source: CopySource

    /// Opens the movie and reads its index.
    ///
    /// - Parameters:
    ///   - places: Which tracks are there for all that is made of it.
    ///   - isOwn: Whether the caller has just made the file, so that nobody is asked who else writes it: a program that this
    ///   process is starting holds it open for a moment.
    /// - Throws: `notAMovie`, `invalidBox`, `notAFile`, `system`; `unsupported` where another program has it open for writing.
    package init(
        _ path: FilePath, tracks places: TrackPlaces = TrackPlaces(), isOwn: Bool = false
    ) throws(MovieFileError) {
        let file = try ReadableFile.opened(path, lock: isOwn ? nil : .shared)
        do throws(MovieFileError) {
            source = try CopySource(file, places)
        } catch {
            try? file.descriptor.close()
            throw error
        }
        self.file = file
    }

    deinit { try? file.descriptor.close() }
}
