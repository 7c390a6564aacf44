import Foundation
import LiveActivity

/// When and what the notification of one activity says.
///
/// One question to the server is open at a time, as its answer, the notification's number, is needed for the next.
struct NotificationPlan {
    /// What a notification shows.
    struct Notice: Equatable {
        var summary: String
        var body: String
        /// 0 to 100; nil: no bar.
        var percent: Int?
        /// The path of a frame.
        var image: String?
        /// The path of the movie that a click opens.
        var opens: String?
        var isFinal = false
        var isFailure = false
    }

    /// A notice to be sent now, in the place of another one; 0: of none.
    struct Post: Equatable {
        var notice: Notice
        var replaces: UInt32
    }

    /// Work that is over sooner never shows, as one sees it end; in seconds.
    static let delay = 2.0
    /// Nobody reads faster.
    static let interval = 1.0
    /// After this it is sent again though nothing changed: a notification that is not renewed goes by itself, so that a dead
    /// process leaves none.
    static let renewal = 5.0
    static let lifetime = 15.0

    private let began: Date
    private var title: String
    private var sent: (post: Notice, time: Date)?
    private var number: UInt32 = 0
    private var isAsking: Bool
    private var waiting: Notice?
    private var isClosed = false
    private var opens: String?

    /// - Parameter isServerKnown: false holds the first notice back until ``next()``, as what the server can do changes it.
    init(_ event: ActivityEvent, isServerKnown: Bool = true) {
        isAsking = !isServerKnown
        began = event.timestamp
        title = event.attributes?.title ?? ActivityWords.title(event.kind)
    }

    mutating func take(_ event: ActivityEvent) -> Post? {
        let now = event.timestamp
        guard now.timeIntervalSince(began) >= Self.delay || sent != nil else { return nil }
        let notice = notice(event)
        if !notice.isFinal {
            // Who has closed it does not want it; the end is told all the same.
            guard !isClosed else { return nil }
            if let sent {
                let age = now.timeIntervalSince(sent.time)
                guard age >= (notice == sent.post ? Self.renewal : Self.interval) else { return nil }
            }
        }
        sent = (notice, now)
        guard !isAsking else {
            waiting = notice
            return nil
        }
        return post(notice)
    }

    /// The server's answer; nil: it refused.
    mutating func shown(_ answer: UInt32?) -> Post? {
        if let answer { number = answer } else { waiting = nil }
        return next()
    }

    /// What came while the server was asked something.
    mutating func next() -> Post? {
        isAsking = false
        defer { waiting = nil }
        return waiting.map { post($0) }
    }

    mutating func closed(_ closed: UInt32) { isClosed = isClosed || closed == number }

    /// What a click opens.
    func opened(by clicked: UInt32) -> String? { clicked == number && number != 0 ? opens : nil }

    private mutating func post(_ notice: Notice) -> Post {
        isAsking = true
        opens = notice.opens
        return Post(notice: notice, replaces: isClosed ? 0 : number)
    }

    private func notice(_ event: ActivityEvent) -> Notice {
        let state = event.contentState
        let isFinal = event.event == .end
        let isGood = state.phase == .finished || state.fileIsGood == true
        var parts = [ActivityWords.doing(event)]
        let percent = ActivityWords.percent(state)
        if !isFinal {
            // In words too: not every server draws the bar.
            if let percent { parts.append("\(percent)%") }
            if let remaining = state.remaining { parts.append("\(Quantities.span(remaining)) left") }
            if percent == nil, let length = state.mediaTime { parts.append(Quantities.clock(length)) }
        } else if isGood {
            if let length = state.mediaTime { parts.append(Quantities.clock(length)) }
            if let bytes = state.bytesWritten { parts.append(Quantities.bytes(bytes)) }
        }
        return Notice(
            summary: title, body: parts.joined(separator: " · "), percent: isFinal ? nil : percent,
            image: state.thumbnail, opens: isFinal && isGood ? state.output : nil, isFinal: isFinal,
            isFailure: state.phase == .failed)
    }
}
