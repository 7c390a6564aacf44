import Foundation
import LiveActivity
import Threads

@testable import ActivityPage

/// A page server of one test, on a port of its own, and what people asked of it.
final class RunningPage: Sendable {
    let feed: ActivityFeed
    let server: PageServer
    let client: PlainClient
    let wishes: Locked<[String]>

    struct Refused: Error, CustomStringConvertible { let description = "It cannot be paused." }

    /// For tests of all else: their own requests are late too where a sanitizer and browsers take the machine.
    static var patient: PageLimits {
        var limits = PageLimits()
        (limits.head, limits.answer, limits.stall) = (.seconds(120), .seconds(120), .seconds(600))
        return limits
    }

    /// - Parameter feed: of a server before it, to take its place.
    init(
        feed: ActivityFeed = ActivityFeed(), address: String = "127.0.0.1:0", limits: PageLimits = RunningPage.patient,
        refusesToPause: Bool = false, remedies: PageRemedies = .none
    ) async throws {
        self.feed = feed
        let wishes = Locked<[String]>([])
        let address = PageAddress(address) ?? .standard
        let server = PageServer(
            feed: feed, address: address, token: AccessToken(), limits: limits, remedies: remedies,
            offers: { id in
                switch id {
                case "rec": [.stop]
                case "microphone": [.mute, .unmute, .stop]
                default: [.pause, .resume, .cancel]
                }
            },
            control: { id, wish in
                wishes.withLock { $0.append("\(wish.rawValue) \(id)") }
                if refusesToPause, wish == .pause { throw Refused() }
            })
        try await server.start()
        self.server = server
        self.wishes = wishes
        client = PlainClient(
            port: await server.address.port, bearer: ["Authorization": "Bearer \(server.token.text)"])
    }

    var link: String { "http://127.0.0.1:\(client.port)/" }
    var bearer: [String: String] { ["Authorization": "Bearer \(server.token.text)"] }
    var tokenLink: String { "\(link)?token=\(server.token.text)" }
}
