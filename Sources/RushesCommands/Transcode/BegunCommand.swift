import Foundation
import LiveActivity

/// This process's own command line, kept for whoever wants to begin it again.
enum BegunCommand {
    /// - Parameter resuming: whether what is done already is to be left as it is then.
    static func keep(of activity: Activity, resuming: Bool = false) {
        let own = Array(CommandLine.arguments.dropFirst())
        // Not behind a "--", where it would be a file.
        let arguments =
            resuming && !own.contains("--resume") ? own.prefix(1) + ["--resume"] + own.dropFirst() : own[...]
        ActivityJournal().keep(
            ActivityCommand(arguments: Array(arguments), folder: FileManager.default.currentDirectoryPath),
            of: activity.id)
    }
}
