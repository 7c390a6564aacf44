import FlyingFox
import FlyingSocks
import Foundation
public import LiveActivity
import Threads

/// Serves the page of an activity feed over HTTP.
public actor PageServer {
    /// Where it listens; once it runs, with the real port.
    public private(set) var address: PageAddress
    /// What a link to the page must hold.
    public nonisolated let token: AccessToken
    private let handler: PageHandler
    private let feed: ActivityFeed
    private let began = AsyncSignal()
    private var failure: (any Error)?
    private var server: HTTPServer?
    private var tasks: [Task<Void, Never>] = []

    /// A proxy in between closes what is silent for long, and a page that vanished is noticed by a write only; in seconds.
    private static let keepAliveInterval = 15.0

    /// - Parameters:
    ///   - offers: what may be asked of the activity of that id now; only that has a button.
    ///   - control: carries a wish of the page to the activity of that id; what it throws is shown on the page.
    public init(
        feed: ActivityFeed, address: PageAddress = .standard, token: AccessToken = AccessToken(),
        offers: @escaping @Sendable (String) async -> Set<ActivityControl>,
        control: @escaping @Sendable (String, ActivityControl) async throws -> Void
    ) {
        self.feed = feed
        self.address = address
        self.token = token
        let rule = AccessRule(token: token, isLoopback: address.isLoopback, names: HostName.own)
        handler = PageHandler(
            feed: feed, rule: rule, cookie: "rushes-\(address.port)", offers: offers, control: control)
    }

    /// Begins to listen.
    ///
    /// - Throws: ``PageError`` with the cure if it cannot listen there.
    public func start() async throws {
        guard tasks.isEmpty else { return }
        let serving = Task { await serve() }
        let keepAlive = Task { [feed] in
            while (try? await Task.sleep(for: .seconds(Self.keepAliveInterval))) != nil { feed.wake(.keepAlive) }
        }
        tasks = [serving, keepAlive]
        if await began.wait(seconds: 10), failure == nil { return }
        let failure = failure
        await stop()
        throw PageError(cannotListenAt: address, failure)
    }

    /// Ends all connections.
    public func stop() async {
        for task in tasks { task.cancel() }
        await server?.stop()
        for task in tasks { await task.value }
        tasks = []
    }

    /// FlyingFox ends its server when a connection cannot be accepted, for want of file descriptors, say; the page comes
    /// back a second later, with all open pages' connections closed.
    private func serve() async {
        while !Task.isCancelled {
            do {
                let server = HTTPServer(config: try configuration(), handler: handler)
                self.server = server
                let watch = Task { await noteListening(server) }
                defer { watch.cancel() }
                try await server.run()
            } catch {
                failure = error
                // After the first time nobody waits for it any more.
                began.fire()
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private func noteListening(_ server: HTTPServer) async {
        guard (try? await server.waitUntilListening(timeout: 10)) != nil else { return }
        switch await server.listeningAddress {
        case .ip4(_, let port), .ip6(_, let port): address = PageAddress(host: address.host, port: port)
        default: break
        }
        failure = nil
        began.fire()
    }

    private func configuration() throws -> HTTPServer.Configuration {
        if address.isIPv6 {
            let place = try sockaddr_in6.inet6(ip6: address.host, port: address.port)
            return HTTPServer.Configuration(address: place, logger: .disabled)
        }
        let place = try sockaddr_in.inet(ip4: address.host, port: address.port)
        return HTTPServer.Configuration(address: place, logger: .disabled)
    }
}
