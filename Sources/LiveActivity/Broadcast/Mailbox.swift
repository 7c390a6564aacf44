import Threads

/// What waits for one listener, who may be slow or gone: putting something in costs the sender next to nothing.
///
/// A listener that lies far behind loses what something newer supersedes, and nothing else.
package final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var reader: CheckedContinuation<Element?, Never>?
        var isFinished = false
    }
    private let state = Locked(State())
    private let capacity: Int
    private let supersedes: @Sendable (_ new: Element, _ waiting: Element) -> Bool

    /// - Parameter capacity: how far behind a listener may lie before it loses anything.
    package init(capacity: Int, supersedes: @escaping @Sendable (_ new: Element, _ waiting: Element) -> Bool) {
        self.capacity = capacity
        self.supersedes = supersedes
    }

    /// What is put in, in order. For one reader. The mailbox lives as long as its stream.
    package var stream: AsyncStream<Element> {
        AsyncStream {
            await self.next()
        } onCancel: {
            self.close()
        }
    }

    /// Whether somebody may still read.
    var isOpen: Bool { state.withLock { !$0.isFinished } }

    package func put(_ element: Element) {
        let reader = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            guard !state.isFinished else { return nil }
            if let reader = Self.takeReader(&state) { return reader }
            if state.waiting.count >= capacity,
                let old = state.waiting.firstIndex(where: { supersedes(element, $0) })
            {
                state.waiting.remove(at: old)
            }
            state.waiting.append(element)
            return nil
        }
        reader?.resume(returning: element)
    }

    /// Nothing follows; what waits is still read.
    package func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            return Self.takeReader(&state)
        }
        reader?.resume(returning: nil)
    }

    /// Nobody reads any more.
    private func close() {
        state.withLock { $0.waiting = [] }
        finish()
    }

    private func next() async -> Element? {
        // Mostly something waits, and a continuation costs more than all the rest.
        if let answer = state.withLock({ Self.take(&$0) }) { return answer }
        return await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Element?? in
                if let answer = Self.take(&state) { return answer }
                // For one reader: a second one takes the first one's place.
                let first = Self.takeReader(&state)
                state.reader = continuation
                first?.resume(returning: nil)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// What a reader gets at once: an element, or the end; `nil` if it has to wait.
    private static func take(_ state: inout State) -> Element?? {
        if !state.waiting.isEmpty { return .some(state.waiting.removeFirst()) }
        return state.isFinished || Task.isCancelled ? .some(nil) : nil
    }

    private static func takeReader(_ state: inout State) -> CheckedContinuation<Element?, Never>? {
        defer { state.reader = nil }
        return state.reader
    }
}

extension Mailbox where Element == ActivityEvent {
    /// Loses updates when it lies 64 events behind, never a start or an end.
    convenience init() {
        self.init(capacity: 64) { new, waiting in waiting.event == .update && waiting.id == new.id }
    }
}

/// Any number of mailboxes that get the same. One whose listener is gone is forgotten at the next sending.
struct MailboxList<Element: Sendable> {
    private struct Weak {
        weak var mailbox: Mailbox<Element>?
    }
    private var list: [Weak] = []

    mutating func add(_ mailbox: Mailbox<Element>) { list.append(Weak(mailbox: mailbox)) }

    mutating func send(_ element: Element) {
        var isAnyGone = false
        for listener in list {
            if let mailbox = listener.mailbox, mailbox.isOpen { mailbox.put(element) } else { isAnyGone = true }
        }
        if isAnyGone { list.removeAll { $0.mailbox?.isOpen != true } }
    }

    mutating func finish() {
        for listener in list { listener.mailbox?.finish() }
        list = []
    }

    var mailboxes: [Mailbox<Element>] { list.compactMap(\.mailbox) }
}
