import FileSystem
import Foundation
package import SystemPackage

extension ActivityJournal {
    /// Where this process may keep a frame of its work, a JPEG file that no other user sees: for
    /// ``ContentState/thumbnail``. It stays when the work has ended, for as long as that is shown; old ones are removed here.
    ///
    /// - Returns: a new path at each call; `nil` where there can be none.
    package func thumbnailPath() -> FilePath? {
        guard
            let folder = ThumbnailFolder.places(beside: directory).first(where: {
                (try? PrivateFolder.create($0)) != nil
            })
        else { return nil }
        OldFiles.tidy(folder, ending: ".jpg")
        return folder.appending("\(UUID().uuidString.lowercased()).jpg")
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
}
