import FileSystem
import Foundation
import SystemPackage

/// The command line that began an activity, so that it can be begun again.
package struct ActivityCommand: Sendable, Codable, Equatable {
    /// Without the program's name.
    package var arguments: [String]
    /// Where its relative paths begin.
    package var folder: String

    package init(arguments: [String], folder: String) { (self.arguments, self.folder) = (arguments, folder) }
}

/// Kept beside the journal for its user alone: no event tells of it, as others may read those.
extension ActivityJournal {
    /// The identifier may be what a page sent.
    private func file(_ id: String) -> FilePath? {
        id.contains("/") || id.hasPrefix(".") ? nil : folder.command(id)
    }

    /// Keeps it; where nothing can be written, nothing is.
    package func keep(_ command: ActivityCommand, of id: String) {
        guard let file = file(id), let data = try? JSONEncoder().encode(command),
            (try? PrivateFolder.create(folder.commands)) != nil
        else { return }
        // What still runs may fail yet.
        let living = (try? folder.liveIdentifiers()) ?? []
        OldFiles.tidy(folder.commands, ending: ".json", keeping: Set(living.map { "\($0).json" }))
        try? AtomicFile.replace(file, with: data)
    }

    /// The one that was kept; blocks on the disk.
    package func command(of id: String) -> ActivityCommand? {
        file(id).flatMap { try? AtomicFile.read($0) }
            .flatMap { try? JSONDecoder().decode(ActivityCommand.self, from: $0) }
    }

    /// What ended well is not begun again.
    package func forgetCommand(of id: String) { file(id)?.removeFile() }
}
