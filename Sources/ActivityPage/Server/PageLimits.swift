/// How much of the machine somebody gets who asks for the page: all that a request may take has an end.
struct PageLimits: Sendable {
    /// Bytes of a request's head.
    var headBytes = 16 << 10
    /// Bytes of a request's body. The page's own requests have none, and what comes is thrown away.
    var bodyBytes = 4 << 10
    /// Seconds for a request to come whole, from the connection's beginning or the answer before.
    var headSeconds = 10.0
    /// Seconds for an answer to be found.
    var answerSeconds = 30.0
    /// Seconds in which somebody takes nothing of what is sent.
    var stallSeconds = 60.0
    /// Seconds, and bytes of what comes meanwhile, for somebody who is sent away to read why.
    var (lingerSeconds, lingerBytes) = (2.0, 8 << 20)
    /// Seconds after which an event stream without events says that it lives: a proxy in between closes what is silent for
    /// long, and a page that vanished is noticed by a write only.
    var keepAliveSeconds = 15.0
    /// At once. One more takes the place of the oldest that has not shown the token.
    var connections = 640
    /// Results that are sent at once, each by a thread of its own.
    var transfers = 32
}
