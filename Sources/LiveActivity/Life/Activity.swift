import Errors
public import Foundation
import Threads

/// Long work that anyone may watch: ActivityKit's type, life and rules, for one kind of attributes and content.
///
/// Telling it something costs microseconds and never waits, whoever listens. Unlike ActivityKit's, its calls are therefore
/// not asynchronous.
public final class Activity: Sendable, Identifiable {
    /// Unique among all activities, of other machines too.
    public let id: String
    /// What kind of work it is.
    public let kind: ActivityKind
    /// What it is about.
    public let attributes: ActivityAttributes

    private struct Inside {
        var life: ActivityLife
        var audience = ActivityAudience()
        var controls: Set<ActivityControl> = []
        var work = Work()
        /// The earliest time at which the clock will call.
        var alarm = Date.distantFuture
    }
    /// Who does what is asked.
    private struct Work {
        var perform: (@Sendable (ActivityControl, String?) -> Void)?
        var answers: [ActivityControl: @Sendable (String?) async throws -> String] = [:]
    }
    private let inside: Locked<Inside>
    private let clock: ActivityClock
    private let onDismissal: @Sendable (String) -> Void

    init(_ life: ActivityLife, clock: ActivityClock, onDismissal: @escaping @Sendable (String) -> Void) {
        (id, kind, attributes) = (life.id, life.kind, life.attributes)
        inside = Locked(Inside(life: life))
        self.clock = clock
        self.onDismissal = onDismissal
    }

    // MARK: What it shows

    /// The content shown now; after the end the final one.
    public var content: ActivityContent { inside.withLock { $0.life.content } }
    /// Whether it is active, stale, ended or dismissed.
    public var activityState: ActivityState { inside.withLock { $0.life.state } }

    /// Each content, the current one first. Ends with the final one. Who reads slowly loses intermediate ones.
    public var contentUpdates: AsyncStream<ActivityContent> {
        inside.withLock { $0.audience.contents(of: $0.life) }.stream
    }

    /// Each state, the current one first. Ends with ``ActivityState/dismissed``.
    public var activityStateUpdates: AsyncStream<ActivityState> {
        inside.withLock { $0.audience.states(of: $0.life) }.stream
    }

    /// The events of this activity: its start, with the current content for a listener that comes late, to its end.
    public var events: AsyncStream<ActivityEvent> {
        inside.withLock { $0.audience.events(of: $0.life) }.stream
    }

    // MARK: What is told to it

    /// Shows new content. Ignored after the end.
    ///
    /// - Parameter timestamp: when the content was true; older content than the last is ignored. `nil`: now.
    public func update(_ content: ActivityContent, timestamp: Date? = nil) {
        change { $0.update(content, timestamp: timestamp, now: $1) }
    }

    /// Ends it with its final content; a phase that is not final becomes ``ContentState/Phase/failed``. Ignored after the end.
    ///
    /// - Parameters:
    ///   - dismissalPolicy: when surfaces take it away.
    ///   - timestamp: as for ``update(_:timestamp:)``.
    public func end(
        _ content: ActivityContent, dismissalPolicy: ActivityUIDismissalPolicy = .default, timestamp: Date? = nil
    ) {
        change { $0.end(content, dismissal: dismissalPolicy, timestamp: timestamp, now: $1) }
    }

    /// Takes it away, as a person does who has seen the result. Ignored before the end.
    package func dismiss() { change { life, _ in life.dismiss() } }

    // MARK: What may be asked of it

    /// States what may be asked of the work from now on, and who does it.
    ///
    /// - Parameter perform: begins what was asked, with the text that came with it; it may be called from any thread, and
    ///   more than once.
    public func accept(
        _ controls: Set<ActivityControl>, perform: @escaping @Sendable (ActivityControl, _ text: String?) -> Void
    ) {
        inside.withLock { if $0.life.last?.event != .end { ($0.controls, $0.work.perform) = (controls, perform) } }
    }

    /// States who does what is answered: with what came of it, or why nothing did.
    ///
    /// - Parameter body: does what was asked, with the text that came with it, in a few seconds at most. Returns a sentence for people.
    package func answer(_ control: ActivityControl, _ body: @escaping @Sendable (String?) async throws -> String) {
        inside.withLock { if $0.life.last?.event != .end { $0.work.answers[control] = body } }
    }

    /// What may be asked of it now; nothing after the end.
    public var controls: Set<ActivityControl> {
        inside.withLock { $0.life.last?.event == .end ? [] : $0.controls }
    }

    /// Asks something of the work, from within this process.
    ///
    /// - Throws: ``RushesError`` if it has ended, does not take this request, or the text is too long.
    public func control(_ request: ActivityControl, text: String? = nil) throws {
        try control(request, text: text) { _ in }
    }

    /// The same, with what came of it.
    ///
    /// - Parameter reply: called once, here or later: with a sentence where the work answers, or with its error.
    func control(
        _ request: ActivityControl, text: String?, reply: @escaping @Sendable (Result<String?, any Error>) -> Void
    ) throws {
        let (hasEnded, controls, perform, answer) = inside.withLock { inside in
            (inside.life.last?.event == .end, inside.controls, inside.work.perform, inside.work.answers[request])
        }
        guard !hasEnded else { throw RushesError.hasEnded(attributes.title) }
        guard controls.contains(request), let perform else {
            throw RushesError.notTaken(request, by: attributes.title, takes: controls)
        }
        guard (text?.utf8.count ?? 0) <= ActivityControl.longestText else {
            throw RushesError.longText(for: attributes.title)
        }
        guard let answer else {
            perform(request, text)
            return reply(.success(nil))
        }
        Task {
            do { reply(.success(try await answer(text))) } catch { reply(.failure(error)) }
        }
    }

    // MARK: Within

    /// Sends what follows to the mailbox too, after what a late listener is told.
    func join(_ mailbox: Mailbox<ActivityEvent>) {
        inside.withLock { $0.audience.join(mailbox, to: $0.life) }
    }

    /// Starts it if it is time, and has the clock call for the rest.
    func begin() { change { $0.advance(to: $1) } }

    private func change(_ body: (inout ActivityLife, Date) -> [ActivityLife.Change]) {
        let now = clock.now()
        let (alarm, isDismissed, work) = inside.withLock { inside -> (Date?, Bool, Work) in
            let content = inside.life.content
            let changes = body(&inside.life, now)
            inside.audience.tell(changes, content: inside.life.content == content ? nil : inside.life.content)
            let isDismissed = changes.contains(.state(.dismissed))
            // One call is enough: it finds out whether anything is due and asks for the next.
            let alarm = inside.life.deadline.flatMap { $0 < inside.alarm ? $0 : nil }
            inside.alarm = alarm ?? inside.alarm
            guard inside.life.last?.event == .end else { return (alarm, isDismissed, Work()) }
            // Nothing is asked of the work any more, which holds a recording with all that it keeps.
            defer { inside.work = Work() }
            return (alarm, isDismissed, inside.work)
        }
        withExtendedLifetime(work) {}
        if let alarm { clock.wake(alarm) { [weak self] in self?.ring() } }
        if isDismissed { onDismissal(id) }
    }

    private func ring() {
        inside.withLock { $0.alarm = .distantFuture }
        begin()
    }
}
