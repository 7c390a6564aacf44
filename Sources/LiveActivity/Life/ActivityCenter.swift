public import Foundation
import Threads

/// The activities of a process, and who listens to all of them.
///
/// A program needs only the shared one; a test makes its own, with its own clock.
public final class ActivityCenter: Sendable {
    /// That of this process.
    public static let shared = ActivityCenter()

    private struct Inside {
        var activities: [Activity] = []
        var newcomers = MailboxList<Activity>()
        var events = MailboxList<ActivityEvent>()
    }
    private let inside = Locked(Inside())
    private let clock: ActivityClock

    /// - Parameter clock: what staleness and dismissal hang on.
    package init(clock: ActivityClock = .system) { self.clock = clock }

    /// Those that are not dismissed, the most relevant first; of equals the one that was asked for first.
    package var activities: [Activity] {
        let all = inside.withLock { $0.activities }.enumerated().map { ($0.element, $0.offset, $0.element.content) }
        return all.sorted { one, other in
            let (score, rival) = (one.2.relevanceScore, other.2.relevanceScore)
            return score == rival ? one.1 < other.1 : score > rival
        }.map(\.0)
    }

    /// The activity of this identifier, or `nil` if it was dismissed or never was.
    package func activity(_ id: String) -> Activity? { inside.withLock { $0.activities.first { $0.id == id } } }

    /// Every activity that is not dismissed, and then each new one.
    package var activityUpdates: AsyncStream<Activity> {
        let mailbox = Mailbox<Activity>(capacity: .max) { _, _ in false }
        inside.withLock { inside in
            inside.activities.forEach(mailbox.put)
            inside.newcomers.add(mailbox)
        }
        return mailbox.stream
    }

    /// The events of all activities of this process, for a late listener each with a start and the current content first.
    public var events: AsyncStream<ActivityEvent> {
        let mailbox = Mailbox<ActivityEvent>()
        listen(mailbox)
        return mailbox.stream
    }

    func listen(_ mailbox: Mailbox<ActivityEvent>) {
        let activities = inside.withLock { inside in
            inside.events.add(mailbox)
            return inside.activities
        }
        for activity in activities { activity.join(mailbox) }
    }

    func request(
        kind: ActivityKind, attributes: ActivityAttributes, content: ActivityContent, start: Date?
    ) throws(ActivityAuthorizationError) -> Activity {
        guard attributes.isWithinLimit else { throw .attributesTooLarge }
        let life = ActivityLife(
            id: UUID().uuidString.lowercased(), kind: kind, attributes: attributes, content: content,
            startDate: start ?? clock.now())
        let activity = Activity(life, clock: clock) { [weak self] id in
            self?.inside.withLock { $0.activities.removeAll { $0.id == id } }
        }
        let listeners = inside.withLock { inside in
            inside.activities.append(activity)
            inside.newcomers.send(activity)
            return inside.events.mailboxes
        }
        // Before it begins, so that each of them hears its start.
        for mailbox in listeners { activity.join(mailbox) }
        activity.begin()
        return activity
    }
}

extension Activity {
    /// Starts an activity.
    ///
    /// - Parameters:
    ///   - content: what it shows first. Text that does not fit 4 KB is shortened, for the work goes on whatever it says.
    ///   - start: when it is to start; until then it is ``ActivityState/pending`` and not shown anywhere. `nil`: now.
    ///   - center: whose activity it is; a program has one center.
    /// - Throws: ``ActivityAuthorizationError/attributesTooLarge``.
    public static func request(
        kind: ActivityKind, attributes: ActivityAttributes, content: ActivityContent, start: Date? = nil,
        in center: ActivityCenter = .shared
    ) throws(ActivityAuthorizationError) -> Activity {
        try center.request(kind: kind, attributes: attributes, content: content, start: start)
    }

    /// This process's activities that are not dismissed, the most relevant first.
    public static var activities: [Activity] { ActivityCenter.shared.activities }

    /// Every activity of this process that is not dismissed, and then each new one.
    public static var activityUpdates: AsyncStream<Activity> { ActivityCenter.shared.activityUpdates }
}

/// Why an activity cannot be started. ActivityKit's name.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ActivityAuthorizationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The attributes take more than 4 KB as JSON.
    case attributesTooLarge

    public var description: String {
        switch self {
        case .attributesTooLarge:
            "The activity's attributes are larger than \(ActivityEvent.byteLimit) bytes; shorten its title, output or inputs."
        }
    }
}
