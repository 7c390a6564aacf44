/// Any number of mailboxes that get the same. One whose listener is gone is forgotten at the next sending.
struct Listeners<Element: Sendable> {
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
