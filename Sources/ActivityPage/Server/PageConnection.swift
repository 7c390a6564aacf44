import Foundation
import LiveActivity
import SystemPackage

/// One who asks for the page, however slow or rude.
struct PageConnection {
    enum Phase {
        /// A request is to come.
        case reading
        /// The handler looks for an answer.
        case waiting
        /// An answer is sent.
        case sending
        /// Events are sent as they come, after the entry of that number.
        case following(after: Int, ReaderSeat)
        /// A last answer was sent; what still comes is thrown away, so that it is read and not swept away by a reset.
        case lingering(bytes: Int)
        case over
    }

    /// What is to be done by others.
    enum Demand {
        case answer(PageRequest)
        /// A file is to be sent, by whoever gets the socket with it.
        case transfer(Transfer)
    }

    let file: FileDescriptor
    let number: Int
    private let limits: PageLimits
    private(set) var phase = Phase.reading
    /// Whether it has shown the token: then it is not sent away for another's sake.
    var knowsToken = false
    /// Whether poll has seen something to read.
    var isReadable = true
    private var reader: RequestReader
    private var outbox: [UInt8] = []
    private var sent = 0
    private var keepsAlive = true
    private var deadline: ContinuousClock.Instant
    private var transfer: Transfer?
    /// Whether events may have come since it was given the last ones.
    var mayHaveNews = true
    /// Whether the socket is somebody else's by now.
    private var isGivenAway = false

    init(_ file: FileDescriptor, number: Int, limits: PageLimits, now: ContinuousClock.Instant) {
        (self.file, self.number, self.limits) = (file, number, limits)
        reader = RequestReader(limits)
        deadline = now + limits.head
    }

    var isOver: Bool { if case .over = phase { true } else { false } }
    var hasUnsent: Bool { sent < outbox.count }
    /// When the loop has to look again, whatever happens.
    var nextLook: ContinuousClock.Instant { deadline }

    /// What poll is to wait for; errors and hang-ups it tells anyway.
    var interest: Int16 {
        switch phase {
        case .reading, .lingering: Int16(POLLIN) | (hasUnsent ? Int16(POLLOUT) : 0)
        default: hasUnsent ? Int16(POLLOUT) : 0
        }
    }

    mutating func end() { phase = .over }

    mutating func giveAway() { (phase, isGivenAway) = (.over, true) }

    func close() { if !isGivenAway { try? file.close() } }

    // MARK: In

    /// Reads what is there; returns a request that is whole.
    mutating func receive(_ now: ContinuousClock.Instant) -> Demand? {
        guard isReadable else { return nil }
        isReadable = false
        switch phase {
        case .reading:
            guard let bytes = StreamSocket.receive(from: file) else {
                phase = .over
                return nil
            }
            reader.add(bytes)
            return nextRequest(now)
        case .lingering(let left):
            // In large steps, as somebody may have sent megabytes already.
            guard let count = PageSocket.discard(from: file), count < left else {
                phase = .over
                return nil
            }
            phase = .lingering(bytes: left - count)
            return nil
        default: return nil
        }
    }

    private mutating func nextRequest(_ now: ContinuousClock.Instant) -> Demand? {
        do throws(RequestRefusal) {
            guard let request = try reader.next() else { return nil }
            keepsAlive = request.keepsAlive
            phase = .waiting
            deadline = now + limits.answer
            return .answer(request)
        } catch {
            refuse(error, now)
            return nil
        }
    }

    private mutating func refuse(_ refusal: RequestRefusal, _ now: ContinuousClock.Instant) {
        keepsAlive = false
        put(.refusal(refusal), now)
    }

    // MARK: Out

    mutating func put(_ answer: PageAnswer, _ now: ContinuousClock.Instant) {
        keepsAlive = keepsAlive && answer.endsItself
        (outbox, sent) = (answer.head(keepsAlive: keepsAlive), 0)
        deadline = now + limits.stall
        switch answer.body {
        case .bytes(let bytes):
            outbox += bytes
            phase = .sending
        case .file(let transfer):
            self.transfer = transfer
            phase = .sending
        case .events(let opening, let after, let seat):
            outbox += opening
            // A reader that knows nothing is read from the beginning.
            phase = .following(after: after ?? -1, seat)
        }
    }

    /// Events for a reader who has taken all that was there; whether there are any.
    mutating func follow(_ feed: ActivityFeed, _ now: ContinuousClock.Instant) -> Bool {
        guard case .following(let after, let seat) = phase, mayHaveNews, !hasUnsent else { return false }
        mayHaveNews = false
        let chunk = feed.read(after: after < 0 ? nil : after)
        phase = .following(after: chunk.number, seat)
        guard !chunk.bytes.isEmpty else { return false }
        (outbox, sent) = (chunk.bytes, 0)
        deadline = now + limits.stall
        return true
    }

    /// Sends what goes without waiting; returns what another thread is to send.
    mutating func send(_ now: ContinuousClock.Instant) -> Demand? {
        while !isOver, hasUnsent {
            guard let count = StreamSocket.send(outbox[sent...], to: file) else {
                phase = .over
                return nil
            }
            if count == 0 { return nil }
            sent += count
            deadline = now + limits.stall
            if !hasUnsent { return emptied(now) }
        }
        return nil
    }

    private mutating func emptied(_ now: ContinuousClock.Instant) -> Demand? {
        (outbox, sent) = ([], 0)
        switch phase {
        case .following:
            deadline = now + limits.keepAlive
            return nil
        case .sending:
            if let transfer { return .transfer(transfer) }
            guard keepsAlive else {
                shutdown(file.rawValue, Int32(SHUT_WR))
                phase = .lingering(bytes: limits.lingerBytes)
                deadline = now + limits.linger
                return nil
            }
            phase = .reading
            deadline = now + limits.head
            // It may be here already.
            return nextRequest(now)
        default: return nil
        }
    }

    /// What time brings.
    mutating func expire(_ now: ContinuousClock.Instant) {
        guard now >= deadline else { return }
        switch phase {
        case .following where !hasUnsent:
            (outbox, sent) = (EventFrame.keepAlive, 0)
            deadline = now + limits.stall
        // Who has said nothing hears nothing.
        case .reading where !reader.isEmpty: refuse(.late, now)
        case .waiting:
            keepsAlive = false
            put(.sentence(503, "The answer took too long; try again."), now)
        default: phase = .over
        }
    }
}
