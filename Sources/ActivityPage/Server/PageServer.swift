import Errors
import Foundation
public import LiveActivity
import SystemPackage

/// Serves the page of an activity feed over HTTP.
public actor PageServer {
    /// Where it listens; once it runs, with the real port.
    public private(set) var address: PageAddress
    /// What a link to the page must hold.
    public nonisolated let token: AccessToken
    private let feed: ActivityFeed
    private let limits: PageLimits
    private let offers: @Sendable (String) async -> Set<ActivityControl>
    private let control: @Sendable (String, ActivityControl) async throws -> Void
    private let remedies: PageRemedies
    private var thread: PageThread?

    /// - Parameters:
    ///   - offers: what may be asked of the activity of that id now; only that has a button.
    ///   - control: carries a request of the page to the activity of that id; what it throws is shown on the page.
    public init(
        feed: ActivityFeed, address: PageAddress = .standard, token: AccessToken = AccessToken(),
        offers: @escaping @Sendable (String) async -> Set<ActivityControl>,
        control: @escaping @Sendable (String, ActivityControl) async throws -> Void
    ) {
        self.init(
            feed: feed, address: address, token: token, limits: PageLimits(), offers: offers, control: control)
    }

    /// - Parameter remedies: what else can be done about what has ended badly.
    package init(
        feed: ActivityFeed, address: PageAddress, remedies: PageRemedies,
        offers: @escaping @Sendable (String) async -> Set<ActivityControl>,
        control: @escaping @Sendable (String, ActivityControl) async throws -> Void
    ) {
        self.init(
            feed: feed, address: address, token: AccessToken(), limits: PageLimits(), remedies: remedies,
            offers: offers, control: control)
    }

    init(
        feed: ActivityFeed, address: PageAddress, token: AccessToken, limits: PageLimits,
        remedies: PageRemedies = .none, offers: @escaping @Sendable (String) async -> Set<ActivityControl>,
        control: @escaping @Sendable (String, ActivityControl) async throws -> Void
    ) {
        (self.feed, self.address, self.token, self.limits) = (feed, address, token, limits)
        (self.offers, self.control, self.remedies) = (offers, control, remedies)
    }

    deinit { thread?.close() }

    /// Begins to listen.
    ///
    /// - Throws: ``RushesError`` with the cure if it cannot listen there.
    public func start() async throws {
        guard thread == nil else { return }
        do {
            let (listener, port) = try PageSocket.listen(at: address)
            let rule = AccessRule(token: token, isLoopback: address.isLoopback, names: HostName.own)
            let handler = PageHandler(
                feed: feed, transfers: Transfers(limits), rule: rule, cookie: "rushes-\(port)", offers: offers,
                control: control, remedies: remedies)
            do { thread = try PageThread(listener, handler, limits) } catch {
                try? listener.close()
                throw error
            }
            address = PageAddress(host: address.host, port: port)
        } catch { throw RushesError(cannotListenAt: address, error) }
    }

    /// Ends all connections.
    public func stop() async {
        await thread?.finish()
        thread = nil
    }
}

/// How much of the machine somebody gets who asks for the page: all that a request may take has an end.
struct PageLimits: Sendable {
    /// Bytes of a request's head.
    var headBytes = 16 << 10
    /// Bytes of a request's body. The page's own requests have none, and what comes is thrown away.
    var bodyBytes = 4 << 10
    /// For a request to come whole, from the connection's beginning or the answer before.
    var head = Duration.seconds(10)
    /// For an answer to be found.
    var answer = Duration.seconds(30)
    /// How long somebody may take nothing of what is sent.
    var stall = Duration.seconds(60)
    /// Time, and bytes of what comes meanwhile, for somebody who is sent away to read why.
    var (linger, lingerBytes) = (Duration.seconds(2), 8 << 20)
    /// After how long an event stream without events says that it lives: a proxy in between closes what is silent for
    /// long, and a page that vanished is noticed by a write only.
    var keepAlive = Duration.seconds(15)
    /// At once. One more takes the place of the oldest that has not shown the token.
    var connections = 640
    /// Results that are sent at once, each by a thread of its own.
    var transfers = 32
}
