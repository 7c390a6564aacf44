/// Who listens to one activity, and what each of them is told.
struct ActivityAudience {
    private var contents = MailboxList<ActivityContent>()
    private var states = MailboxList<ActivityState>()
    /// Of this activity alone: they finish with it.
    private var events = MailboxList<ActivityEvent>()
    /// Of all activities.
    private var joined = MailboxList<ActivityEvent>()

    mutating func contents(of life: ActivityLife) -> Mailbox<ActivityContent> {
        let mailbox = Mailbox<ActivityContent>(capacity: 1) { _, _ in true }
        mailbox.put(life.content)
        if life.hasEnded { mailbox.finish() } else { contents.add(mailbox) }
        return mailbox
    }

    mutating func states(of life: ActivityLife) -> Mailbox<ActivityState> {
        let mailbox = Mailbox<ActivityState>(capacity: 1) { _, waiting in waiting != .ended }
        mailbox.put(life.state)
        if life.state == .dismissed { mailbox.finish() } else { states.add(mailbox) }
        return mailbox
    }

    mutating func events(of life: ActivityLife) -> Mailbox<ActivityEvent> {
        let mailbox = Mailbox<ActivityEvent>()
        life.replay.forEach(mailbox.put)
        if life.hasEnded { mailbox.finish() } else { events.add(mailbox) }
        return mailbox
    }

    mutating func join(_ mailbox: Mailbox<ActivityEvent>, to life: ActivityLife) {
        life.replay.forEach(mailbox.put)
        if !life.hasEnded { joined.add(mailbox) }
    }

    /// - Parameter content: if it is new.
    mutating func tell(_ changes: [ActivityLife.Change], content: ActivityContent?) {
        if let content { contents.send(content) }
        for change in changes {
            switch change {
            case .event(let event):
                events.send(event)
                joined.send(event)
                if event.event == .end {
                    contents.finish()
                    events.finish()
                }
            case .state(let state):
                states.send(state)
                if state == .dismissed { states.finish() }
            }
        }
    }
}

extension ActivityLife {
    fileprivate var hasEnded: Bool { last?.event == .end }

    /// What a listener is told that comes now.
    fileprivate var replay: [ActivityEvent] {
        last.map { ActivityRecord(attributes: attributes, last: $0, startDate: startDate).replay } ?? []
    }
}
