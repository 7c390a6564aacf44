import Errors
import Foundation
import SystemPackage
import Threads

extension ActivityJournal {
    /// What happens to all activities of this user, in all processes, as it happens: for each its start and its current
    /// content, then all that follows. Those that ended and are not dismissed come too, with their end.
    ///
    /// Never finishes; a listener that reads slowly loses updates, never a start or an end.
    public func events() -> AsyncStream<ActivityEvent> {
        let mailbox = Mailbox<ActivityEvent>()
        let folder = folder
        let hasBegun = OwnThread.run("rushes-activity-follower") { [weak mailbox] in
            var follower = JournalFollower(folder)
            for event in follower.begin(now: Date()) { mailbox?.put(event) }
            while mailbox?.isOpen == true {
                for event in follower.step() { mailbox?.put(event) }
            }
            follower.close()
        }
        if !hasBegun { mailbox.finish() }
        return mailbox.stream
    }

    /// Asks something of an activity's work, in whatever process. Returns once it has begun to do it. One that has just begun, and whose file
    /// is not there yet, is waited for up to five seconds.
    ///
    /// - Returns: what came of it in a sentence, where the work tells that, as for ``ActivityControl/set``.
    /// - Throws: ``RushesError`` if there is no such activity, it has ended, does not take this request, its
    ///   process does not answer within five seconds, or the text is too long.
    @discardableResult
    public func control(_ id: String, _ request: ActivityControl, text: String? = nil) async throws -> String? {
        // A longer one would not be read to its end.
        guard (text?.utf8.count ?? 0) <= ActivityControl.longestText else { throw RushesError.longText(for: id) }
        let (folder, limit) = (folder, answerLimit)
        return try await onOwnThread("rushes-control") {
            let entry = try folder.entry(id, within: limit)
            let title = entry.record.attributes.title
            guard entry.outcome(now: Date()) == nil else { throw RushesError.hasEnded(title) }
            let message = SocketRequest(control: request.rawValue, id: id, text: text)
            guard let reply = entry.socket.flatMap({ SocketClient.ask(message, at: FilePath($0), within: limit) })
            else {
                throw RushesError.unreachable(title, pid: entry.process.pid)
            }
            if let error = reply.error { throw RushesError(refusal: error, on: title) }
            return reply.text
        }
    }
}

extension JournalFolder {
    /// What a live activity's file says. Who hears of an activity from its own process may be faster than its file: that is waited for.
    /// Blocks.
    ///
    /// - Throws: ``RushesError`` if it has ended, or there is none.
    fileprivate func entry(_ id: String, within limit: Duration) throws(RushesError) -> LiveEntry {
        var entry: LiveEntry?
        var ended: ActivityRecord?
        // What a person mistypes is mostly no identifier at all, and refused at once.
        _ = TimeLimit(UUID(uuidString: id) == nil ? .zero : limit).wait(every: .milliseconds(20)) {
            entry = self.entry(id)
            ended = entry == nil ? try? history.tail(1000).last { $0.id == id } : nil
            return entry != nil || ended != nil
        }
        if let entry { return entry }
        throw ended.map { RushesError.hasEnded($0.attributes.title) } ?? RushesError.unknownActivity(id)
    }
}
