import Foundation
import Threads

/// Something that shows activity events: one function, so that a new surface is a value and not a type.
///
/// Showing may block on the terminal or the pipe, so a reporter is called from a listener's own task, never from the
/// work itself.
public struct ActivityReporter: Sendable {
    /// Shows one event; may block.
    package let show: @Sendable (ActivityEvent) -> Void

    /// - Parameter show: shows one event; may block.
    public init(show: @escaping @Sendable (ActivityEvent) -> Void) { self.show = show }

    /// Progress for a person, on standard error.
    ///
    /// - Parameter named: whether each line begins with the activity's title.
    public static func progress(_ style: ProgressStyle, named: Bool = false) -> ActivityReporter {
        progress(style, on: Terminal(), named: named)
    }

    /// Progress for a person, on this terminal.
    package static func progress(
        _ style: ProgressStyle, on terminal: Terminal, named: Bool = false
    ) -> ActivityReporter {
        switch style.resolved(on: terminal) {
        case .auto, .bar:
            let bar = TerminalBar(terminal, named: named)
            return ActivityReporter { bar.show($0) }
        case .plain:
            let lines = PlainLines(terminal, named: named)
            return ActivityReporter { lines.show($0) }
        case .none: return ActivityReporter { _ in }
        }
    }

    /// Newline-delimited JSON for a program, on standard output unless told otherwise; each line leaves at once.
    public static func json(on descriptor: Int32 = 1) -> ActivityReporter {
        let output = Terminal(descriptor)
        return ActivityReporter { _ = output.write($0.line) }
    }

    /// Shows all that comes, on a thread of its own; the task ends with the events.
    public func follow(_ events: AsyncStream<ActivityEvent>) -> Task<Void, Never> {
        Task(executorPreference: BlockingQueue("rushes-presenter")) {
            for await event in events { show(event) }
        }
    }
}

extension Collection where Element == Task<Void, Never> {
    /// Waits until what reporters follow (``ActivityReporter/follow(_:)``) has been shown to its end; but who does not look,
    /// a stopped terminal, a full pipe or a bus that hangs, is not waited for longer than the stated time.
    package func areShown(within limit: Duration = .seconds(10)) async {
        let isShown = AsyncSignal()
        let tasks = Array(self)
        Task {
            for task in tasks { await task.value }
            isShown.fire()
        }
        _ = await isShown.wait(within: limit)
    }
}
