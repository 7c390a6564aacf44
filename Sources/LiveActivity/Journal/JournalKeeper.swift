import Foundation
import SystemPackage
import Threads

/// Writes a process's activities into the journal and answers at its socket, beside the work and never in its way: what
/// cannot be written is left out.
public final class JournalKeeper: Sendable {
    private let events = Mailbox<ActivityEvent>()
    private let writer: JournalWriter
    private let hasWritten = AsyncSignal()

    init(_ journal: ActivityJournal, _ center: ActivityCenter) {
        writer = JournalWriter(journal: journal, center: center)
        let stream = events.stream
        center.listen(events)
        Task(executorPreference: BlockingQueue("rushes-journal")) { [writer, hasWritten] in
            for await event in stream { writer.take(event) }
            hasWritten.fire()
        }
    }

    deinit {
        events.finish()
        if let server = writer.server { Task { await server.finish() } }
    }

    /// Call before the process ends: waits until what has happened is written down and sent.
    ///
    /// - Parameter timeout: no longer than this for a disk that is slow; what is written later is not waited for.
    public func finish(within timeout: Duration = .seconds(3)) async {
        events.finish()
        _ = await hasWritten.wait(within: timeout)
        await writer.server?.finish()
    }
}

extension ActivityJournal {
    /// Writes down what happens to the center's activities from now on, and answers for them at a socket.
    ///
    /// Never fails: where nothing can be written, nothing is.
    ///
    /// - Returns: what does it, for as long as it is kept.
    public func keep(_ center: ActivityCenter = .shared) -> JournalKeeper { JournalKeeper(self, center) }
}
