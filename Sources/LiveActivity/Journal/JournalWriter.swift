import FileSystem
import Foundation
import SystemPackage
import Threads

/// The files of one process's activities. Its calls block on the disk and come one after another.
final class JournalWriter: Sendable {
    private struct Inside {
        var live: [String: Kept] = [:]
        var server: ActivityServer?
        /// Whether the journal's folder is there, and nobody else's.
        var isPrivate = false
        /// Ends that the disk did not take.
        var unwritten: [ActivityRecord] = []
    }
    private struct Kept {
        var record: ActivityRecord
        var schedule = WriteSchedule()
    }
    private let folder: JournalFolder
    private let center: ActivityCenter
    private let requestTimeout: Duration
    private let inside = Locked(Inside())

    init(journal: ActivityJournal, center: ActivityCenter) {
        folder = journal.folder
        self.center = center
        // A slow client's request is still taken when it no longer waits for the answer.
        requestTimeout = journal.answerLimit * 2
    }

    var server: ActivityServer? { inside.withLock { $0.server } }

    func take(_ event: ActivityEvent) {
        inside.withLock { inside in
            switch event.event {
            case .start: start(event, &inside)
            case .update: update(event, &inside)
            case .end: end(event, &inside)
            }
        }
    }

    private func start(_ event: ActivityEvent, _ inside: inout Inside) {
        guard let attributes = event.attributes else { return }
        inside.isPrivate = (try? folder.create()) != nil
        if inside.server == nil {
            inside.server = SocketFolder.serve(center, beside: folder.path, requestTimeout: requestTimeout)
        }
        var kept = Kept(record: record(attributes, event, since: event.timestamp))
        // Found by others at once, however long the disk takes until a power cut leaves it: its end is then written by whoever finds it.
        write(&kept, inside)
        write(&kept, isLasting: true, inside)
        inside.live[event.id] = kept
    }

    private func update(_ event: ActivityEvent, _ inside: inout Inside) {
        guard var kept = inside.live[event.id] else { return }
        kept.record = record(kept.record.attributes, event, since: kept.record.startDate)
        if kept.schedule.isDue(event, controls: kept.record.controls) { write(&kept, inside) }
        inside.live[event.id] = kept
    }

    private func end(_ event: ActivityEvent, _ inside: inout Inside) {
        guard var kept = inside.live.removeValue(forKey: event.id) else { return }
        kept.record = record(kept.record.attributes, event, since: kept.record.startDate)
        // First here: should the process die now, this is found, and not what looks like a crash.
        write(&kept, inside)
        guard inside.isPrivate else { return }
        inside.unwritten.append(kept.record)
        inside.unwritten.removeAll { end in (try? folder.retire([end], areOwn: true)) != nil }
    }

    private func record(_ attributes: ActivityAttributes, _ event: ActivityEvent, since start: Date) -> ActivityRecord {
        ActivityRecord(
            attributes: attributes, last: event, startDate: start,
            controls: center.activity(event.id)?.controls ?? [])
    }

    private func write(_ kept: inout Kept, isLasting: Bool = false, _ inside: Inside) {
        guard inside.isPrivate else { return }
        let entry = LiveEntry(record: kept.record, process: .current, socket: inside.server?.path.string)
        kept.schedule.wrote(kept.record)
        try? AtomicFile.replace(
            folder.file(kept.record.id), with: entry.data, isLasting: isLasting, mayOverwrite: true)
    }
}

/// When a live activity's file is written: with each change of phase or of what may be asked, and with each update, but no more
/// often than every 0.4 seconds: of who is killed it is all that anybody will know. Sooner if what is written would be out of date by then.
struct WriteSchedule {
    private var written: ActivityRecord?
    /// Seconds.
    private static let interval = 0.4

    mutating func wrote(_ record: ActivityRecord) { written = record }

    func isDue(_ event: ActivityEvent, controls: Set<ActivityControl>) -> Bool {
        guard let written else { return true }
        if event.contentState.phase != written.last.contentState.phase || controls != written.controls { return true }
        let freshness = written.last.staleDate.map { $0.timeIntervalSince(written.last.timestamp) / 2 }
        let age = event.timestamp.timeIntervalSince(written.last.timestamp)
        // A clock that was set back says nothing about age: timestamps stand still until it has caught up.
        return age <= 0 || age >= min(Self.interval, freshness ?? Self.interval)
    }
}
