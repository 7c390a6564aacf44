import Foundation
import SystemPackage

extension JournalFolder {
    /// Moves what has ended into the history: what says so itself, and what a dead process left. Returns what lives.
    ///
    /// A journal that cannot be written is still read: what could not be moved is returned with its end.
    ///
    /// - Throws: an error if the folder exists and cannot be read.
    func sweep(now: Date = Date()) throws -> [LiveEntry] {
        try liveIdentifiers().compactMap { id in
            guard var entry = entry(id) else {
                forget(id, now: now)
                return nil
            }
            guard let end = entry.outcome(now: now) else { return isExpired(id, now: now) ? nil : entry }
            do {
                try retire(end, now: now)
                // Its process is gone, and its socket leads nowhere.
                if entry.process.isAlive == false, let socket = entry.socket { unlink(socket) }
                if let picture = entry.record.last.contentState.thumbnail {
                    ThumbnailFolder.remove(picture, beside: path)
                }
                return nil
            } catch {
                entry.record = end
                return entry
            }
        }
    }

    /// Puts an end into the history, once, and takes the live activity's file away.
    ///
    /// - Parameter isOwn: whether it is an activity of this process, which has not put it there before.
    /// - Throws: `Errno`; then the file stays, and whoever looks next tries again.
    func retire(_ end: ActivityRecord, isOwn: Bool = false, now: Date = Date()) throws {
        try lock.withLock {
            // Two may have seen the same orphan, and a process may have died between the two steps below. Its own process
            // need not search: whoever was faster has taken the file away.
            let isNew = isOwn && access(file(end.id).string, F_OK) == 0
            if try isNew || !history.contains(end.id) {
                // Before it was gone it may have written how it ended, after the file was read.
                try history.append(entry(end.id)?.outcome(now: now) ?? end)
            }
            unlink(file(end.id).string)
            // Whoever was killed while writing has left this.
            unlink(SmallFile.draft(of: file(end.id)).string)
        }
    }

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
        state.message = "the process that did it was killed or crashed"
        state.reason = "the process is gone"
        let end = ActivityEvent(
            sequence: record.last.sequence + 1, id: record.id, event: .end, kind: record.last.kind, timestamp: now,
            contentState: state, relevanceScore: record.last.relevanceScore,
            dismissalDate: ActivityUIDismissalPolicy.default.date(end: now))
        return ActivityRecord(attributes: record.attributes, last: end, startDate: record.startDate)
    }
}
