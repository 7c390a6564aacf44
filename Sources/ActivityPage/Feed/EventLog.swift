import Foundation
import LiveActivity

/// What happened to all activities, for any number of readers.
///
/// A reader keeps nothing but the number of the last entry that it read, so a slow one costs no memory: one that comes back
/// late gets the start and the latest event of each activity, and never all that it slept through.
struct EventLog {
    /// Each event is encoded once, whoever reads it.
    struct Entry {
        let number: Int
        let bytes: [UInt8]
    }

    /// An activity as a reader who knows nothing must learn of it.
    struct Known {
        var start: Entry
        var last: Entry
        var event: ActivityEvent
    }

    /// What a reader gets, and where it goes on.
    struct Chunk {
        var bytes: [UInt8]
        var number: Int
    }

    /// More than this is summed up: what a reader of a second ago missed of several activities still comes one by one.
    static let longestReplay = 64
    /// A page of more ended activities helps nobody.
    static let mostEnded = 200
    /// ActivityKit's default dismissal policy: four hours after the end.
    static let defaultDismissal = 4 * 3600.0

    /// Tells this log's numbers from those of an earlier server.
    let name: String
    private(set) var known: [String: Known] = [:]
    private(set) var newest = 0
    private var recent: [Entry] = []
    private var lastRead: (after: Int, chunk: Chunk)?

    init(name: String) { self.name = name }

    /// - Returns: false for what is no news: an event that is older than the last of its activity, or follows its end. Another
    ///   end may: of what was recovered.
    mutating func append(_ event: ActivityEvent, now: Date) -> Bool {
        if let last = known[event.id]?.event {
            guard event.sequence > last.sequence, last.event != .end || event.event == .end else { return false }
        }
        guard !Self.isDismissed(event, now: now) else {
            known[event.id] = nil
            return false
        }
        newest += 1
        let entry = Entry(number: newest, bytes: EventFrame.event(event, place: "\(name)-\(newest)"))
        known[event.id] = Known(start: known[event.id]?.start ?? entry, last: entry, event: event)
        recent.append(entry)
        // Cut now and then, not each time: an array loses its first elements by moving all others.
        if recent.count > 2 * Self.longestReplay { recent.removeFirst(recent.count - Self.longestReplay) }
        if event.event == .end { prune(now: now) }
        return true
    }

    /// The number in an id of this log; nil for any other.
    func number(inID id: String) -> Int? {
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == name, let number = Int(parts[1]), (0...newest).contains(number) else {
            return nil
        }
        return number
    }

    /// All that a reader does not know yet; nil: one that knows nothing.
    mutating func read(after number: Int?) -> Chunk {
        let after = number ?? 0
        if let lastRead, lastRead.after == after, lastRead.chunk.number == newest { return lastRead.chunk }
        let chunk = Chunk(bytes: entries(after: after).flatMap(\.bytes), number: newest)
        // Readers that keep up all ask the same.
        lastRead = (after, chunk)
        return chunk
    }

    private func entries(after number: Int) -> some Sequence<Entry> {
        if newest - number <= Self.longestReplay, number > 0 { return recent.filter { $0.number > number } }
        let needed = known.values.flatMap { $0.start.number == $0.last.number ? [$0.last] : [$0.start, $0.last] }
        return needed.filter { $0.number > number }.sorted { $0.number < $1.number }
    }

    /// Forgets activities whose time on the page is over.
    mutating func prune(now: Date) {
        known = known.filter { !Self.isDismissed($0.value.event, now: now) }
        let ended = known.values.filter { $0.event.event == .end }
        guard ended.count > Self.mostEnded else { return }
        for old in ended.sorted(by: { $0.last.number < $1.last.number }).dropLast(Self.mostEnded) {
            known[old.event.id] = nil
        }
    }

    private static func isDismissed(_ event: ActivityEvent, now: Date) -> Bool {
        guard event.event == .end else { return false }
        return event.dismissalDate ?? event.timestamp.addingTimeInterval(defaultDismissal) <= now
    }
}
