import Errors
import Foundation
public import SystemPackage

/// What all processes of this user do and did: activities that live, and the history of those that ended.
///
/// It is a folder, private to its user: one file for each live activity, which names the process and its socket, and one
/// history to which each end is appended. Whoever lists it ends, once, what a dead process left.
public struct ActivityJournal: Sendable {
    /// The journal's folder.
    package let directory: FilePath
    let folder: JournalFolder
    /// How long a process has to answer a request.
    var answerLimit = Duration.seconds(5)

    /// - Parameter directory: the journal's folder, which need not exist. Left out, `$XDG_STATE_HOME/rushes/activities`; by the
    ///   XDG base directory specification `~/.local/state` where the variable is missing or no absolute path.
    public init(directory: FilePath? = nil) {
        let directory = directory ?? Self.standardDirectory
        self.directory = directory
        folder = JournalFolder(directory)
    }

    /// Where the journal of all processes of this user is.
    package static var standardDirectory: FilePath { standardDirectory(in: ProcessInfo.processInfo.environment) }

    static func standardDirectory(in environment: [String: String]) -> FilePath {
        func absolute(_ name: String) -> FilePath? {
            environment[name].map { FilePath($0) }.flatMap { $0.isAbsolute ? $0 : nil }
        }
        let home = absolute("HOME") ?? FilePath(FileManager.default.homeDirectoryForCurrentUser.path)
        let state = absolute("XDG_STATE_HOME") ?? home.appending(".local/state")
        return state.appending("rushes/activities")
    }

    /// What lives, and the latest of what ended, newest first.
    ///
    /// It reads files and so blocks its thread, for some milliseconds. Activities of dead processes are ended first.
    ///
    /// - Parameter limit: at most so many that ended.
    /// - Throws: ``RushesError`` if the journal exists and cannot be read.
    public func activities(finished limit: Int = 100) throws -> [ActivityRecord] {
        let (live, ended): ([LiveEntry], [ActivityRecord])
        do { (live, ended) = (try folder.sweep(), try folder.history.tail(limit)) } catch let error as Errno {
            throw RushesError(
                .badInput, on: directory.string,
                "The journal of activities cannot be read (\(error)); name a folder of yours in XDG_STATE_HOME.",
                underlying: error)
        }
        let known = Set(ended.map(\.id))
        return (live.map(\.record).filter { !known.contains($0.id) } + ended).sorted { $0.startDate > $1.startDate }
    }

    /// Replaces how an activity ended, as of a recording that was recovered afterwards. Blocks on the disk.
    ///
    /// - Throws: `Errno`. Nothing is done where the history does not know the activity.
    package func amend(_ end: ActivityEvent) throws {
        try folder.withLock {
            guard let before = try folder.history.tail(1000).last(where: { $0.id == end.id }) else { return }
            try folder.history.append([
                ActivityRecord(attributes: before.attributes, last: end, startDate: before.startDate)
            ])
        }
    }
}
