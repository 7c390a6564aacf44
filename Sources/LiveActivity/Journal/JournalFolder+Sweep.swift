import FileSystem
import Foundation
import SystemPackage

extension JournalFolder {
    /// Moves what has ended into the history: what says so itself, and what dead processes left. Returns what lives.
    ///
    /// A journal that cannot be written is still read: what could not be moved is returned with its end.
    ///
    /// - Throws: an error if the folder exists and cannot be read.
    func sweep(now: Date = Date()) throws -> [LiveEntry] {
        var (living, ended): ([LiveEntry], [LiveEntry]) = ([], [])
        for id in try liveIdentifiers() {
            guard var entry = entry(id) else {
                forget(id, now: now)
                continue
            }
            if let end = entry.outcome(now: now) {
                entry.record = end
                ended.append(entry)
            } else if !isExpired(id, now: now) {
                living.append(entry)
            }
        }
        guard !ended.isEmpty else { return living }
        do { try retire(ended.map(\.record), now: now) } catch { return living + ended }
        for entry in ended {
            // Its process is gone, and its socket leads nowhere.
            if entry.process.isAlive == false, let socket = entry.socket {
                SocketFolder.remove(socket, of: entry.process)
            }
        }
        return living
    }

    /// Puts ends into the history, each once, and takes the live activities' files away.
    ///
    /// - Parameter areOwn: whether they are activities of this process, which has not put them there before.
    /// - Throws: `Errno`; then the files stay, and whoever looks next tries again.
    func retire(_ ends: [ActivityRecord], areOwn: Bool = false, now: Date = Date()) throws {
        try withLock {
            // Two may have seen the same orphan, and a process may have died between the two steps below. Its own process
            // need not search: whoever was faster has taken the file away.
            let doubtful = ends.map(\.id).filter { !areOwn || access(file($0).string, F_OK) != 0 }
            let known = try history.known(of: Set(doubtful))
            // Before it was gone a process may have written how it ended, after the file was read.
            try history.append(
                ends.filter { !known.contains($0.id) }.map { entry($0.id)?.outcome(now: now) ?? $0 })
            for end in ends {
                unlink(file(end.id).string)
                // It may be begun again for as long as its end is shown.
                _ = utimensat(AT_FDCWD, command(end.id).string, nil, 0)
            }
            removeDrafts(now: now)
        }
    }

    /// Takes away what processes that were killed while writing have left.
    private func removeDrafts(now: Date) {
        guard let names = try? FolderDescriptor.texts(in: live), let folder = try? FolderDescriptor(live) else {
            return
        }
        for name in names where AtomicFile.isDraft(name) {
            guard let name = FilePath.Component(name), let status = folder.status(name),
                now.timeIntervalSince1970 - Double(status.st_mtim.tv_sec) > Self.draftLifetime
            else { continue }
            folder.removeFile(name)
        }
    }

    /// Seconds: nobody writes so long at a small file.
    private static let draftLifetime = 60.0

    /// A file that cannot be read, damaged or of a newer version, is left to its process for a day.
    private func forget(_ id: String, now: Date) {
        if age(id, now: now) > 86400 { unlink(file(id).string) }
    }

    /// Another machine's activity, of which nothing was heard for as long as the history remembers.
    private func isExpired(_ id: String, now: Date) -> Bool {
        guard age(id, now: now) > ActivityHistory.lifetime else { return false }
        unlink(file(id).string)
        return true
    }

    private func age(_ id: String, now: Date) -> Double {
        var status = stat()
        guard stat(file(id).string, &status) == 0 else { return 0 }
        return now.timeIntervalSince1970 - Double(status.st_mtim.tv_sec)
    }
}

extension LiveEntry {
    /// How the activity ended: as it says itself, or as failed if its process is gone; `nil` if it lives.
    func outcome(now: Date) -> ActivityRecord? {
        if record.last.event == .end { return record }
        guard process.isAlive == false else { return nil }
        var state = record.last.contentState
        state.phase = .failed
        state.remaining = nil
        state.message = "The process was killed or crashed."
        state.reason = "the process is gone"
        let end = ActivityEvent(
            sequence: record.last.sequence + 1, id: record.id, event: .end, kind: record.last.kind, timestamp: now,
            contentState: state, relevanceScore: record.last.relevanceScore,
            dismissalDate: ActivityUIDismissalPolicy.default.date(end: now))
        return ActivityRecord(attributes: record.attributes, last: end, startDate: record.startDate)
    }
}

/// Small files that belong to activities and stay for a while when those have ended.
enum OldFiles {
    /// Ended work is on the page for four hours, and a batch of thousands leaves no more than this.
    private static let (lifetime, most) = (4.0 * 3600, 200)

    /// Removes those that nobody is shown any more: the oldest.
    ///
    /// - Parameter kept: names that stay, however old they are.
    static func tidy(_ folder: FilePath, ending: String, keeping kept: Set<String> = [], now: Date = Date()) {
        guard let names = try? FolderDescriptor.texts(in: folder), let place = try? FolderDescriptor(folder) else {
            return
        }
        let files = names.filter { $0.hasSuffix(ending) || AtomicFile.isDraft($0) }.compactMap {
            text -> (name: FilePath.Component, age: Double)? in
            guard let name = FilePath.Component(text), let status = place.status(name) else { return nil }
            return (name, now.timeIntervalSince1970 - Double(status.st_mtim.tv_sec))
        }
        for (order, file) in files.sorted(by: { $0.age < $1.age }).enumerated()
        where (order >= most || file.age > lifetime) && !kept.contains(file.name.string) {
            place.removeFile(file.name)
        }
    }
}
