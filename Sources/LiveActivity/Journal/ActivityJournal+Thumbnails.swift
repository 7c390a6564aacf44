import FileSystem
import Foundation
package import SystemPackage

extension ActivityJournal {
    /// Where this process may keep a frame of its work, a JPEG file that no other user sees: for
    /// ``ContentState/thumbnail``. Who writes it takes it away; what a dead process left goes with its activity.
    ///
    /// - Returns: a new path at each call; `nil` where there can be none.
    package func thumbnailPath() -> FilePath? {
        ThumbnailFolder.places(beside: directory).first { (try? PrivateFolder.create($0)) != nil }?
            .appending("\(UUID().uuidString.lowercased()).jpg")
    }
}

/// `$XDG_RUNTIME_DIR/rushes`, which is private and gone after a restart; else beside the journal.
enum ThumbnailFolder {
    static func places(
        beside journal: FilePath,
        runtime: FilePath? = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].map { FilePath($0) }
    ) -> [FilePath] {
        let own = runtime.flatMap { $0.isAbsolute ? $0.appending("rushes") : nil }
        return [own, journal].compactMap { $0?.appending("thumbnails") }
    }

    /// Takes a frame away that lies in one of the places; whatever else an activity names is not ours.
    static func remove(_ thumbnail: String, beside journal: FilePath) {
        let path = FilePath(thumbnail)
        guard places(beside: journal).contains(path.removingLastComponent()) else { return }
        unlink(path.string)
    }
}
