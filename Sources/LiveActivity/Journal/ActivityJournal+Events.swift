extension ActivityJournal {
    /// What happens to all activities of this user, in all processes, as it happens: for each its start and its current
    /// content, then all that follows. Those that ended and are not dismissed come too, with their end. Never finishes.
    public func events() -> AsyncStream<ActivityEvent> {
        let mailbox = Mailbox<ActivityEvent>()
        return mailbox.stream
    }
    /// Asks something of an activity's work, in whatever process.
    ///
    /// - Throws: ``ActivityControlError`` if there is no such activity, it has ended, does not take this request, or its process does not answer.
    public func control(_ id: String, _ request: ActivityControl) async throws {
        throw ActivityControlError.unknown(id)
    }
}
