import FlyingFox
import Foundation
import LiveActivity
import Threads

/// Answers the page's requests. Every one passes the access rule first.
struct PageHandler: HTTPHandler {
    let feed: ActivityFeed
    let rule: AccessRule
    /// The token's cookie; its name has the port, as browsers share cookies among the ports of a host.
    let cookie: String
    let offers: @Sendable (String) async -> Set<ActivityControl>
    let control: @Sendable (String, ActivityControl) async throws -> Void

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let isControl = request.method == .POST
        guard isControl || request.method == .GET else {
            return PageResponse.sentence(
                .methodNotAllowed, "The page knows GET and POST.", [HTTPHeader("Allow"): "GET, POST"])
        }
        switch rule.verdict(on: claim(of: request, isControl: isControl)) {
        case .foreign:
            return refusal("This is not for other sites")
        case .tokenMissing:
            return refusal("The token is missing")
        case .allowed(let knowsToken):
            let path = request.path.split(separator: "/").map(String.init)
            return isControl ? await change(path) : try await show(path, request, knowsToken: knowsToken)
        }
    }

    /// What is for nobody without the token, also on loopback: all users of a machine share that.
    private static let closed: Set<String> = ["thumbnail", "controls", "result"]

    private func show(_ path: [String], _ request: HTTPRequest, knowsToken: Bool) async throws -> HTTPResponse {
        switch (path.first, path.count) {
        case (nil, 0), ("activities", 2):
            // The token moves from the link, which people copy and browsers keep, to a cookie that scripts cannot read.
            if knowsToken, request.query["token"] != nil { return moveToCookie(path) }
            return PageResponse.file(PageFile.index.data, PageFile.index.contentType)
        case ("events", 1): return events(request, knowsToken: knowsToken)
        case ("page", 2):
            guard let part = PageFile.parts[path[1]] else { return notFound }
            return PageResponse.file(part.data, part.contentType)
        case ("activities", 3) where !knowsToken && Self.closed.contains(path[2]):
            return refusal("This needs the token")
        case ("activities", 3) where path[2] == "thumbnail":
            guard let file = feed.latest(path[1])?.contentState.thumbnail,
                let picture = try await onOwnThread("rushes-thumbnail", { Thumbnail(path: file) })
            else { return notFound }
            return PageResponse.file(picture.data, picture.contentType)
        case ("activities", 3) where path[2] == "controls":
            guard feed.latest(path[1]) != nil else { return notFound }
            let names = await offers(path[1]).map(\.rawValue).sorted()
            return PageResponse.file(try JSONEncoder().encode(names), "application/json")
        case ("activities", 3) where path[2] == "result":
            guard let event = feed.latest(path[1]), let file = ResultFile(event) else { return notFound }
            let answer = try await FileHTTPHandler(path: file.url, contentType: file.contentType).handleRequest(request)
            return PageResponse.protected(answer)
        default: return notFound
        }
    }

    private func events(_ request: HTTPRequest, knowsToken: Bool) -> HTTPResponse {
        guard let seat = feed.takeSeat() else {
            return PageResponse.sentence(
                .serviceUnavailable, "Too many pages are open.", [HTTPHeader("Retry-After"): "10"])
        }
        // A browser that reconnects by itself sends the header; a page that must connect anew has only the link.
        let last = request.headers[HTTPHeader("Last-Event-ID")] ?? request.query["last-event-id"]
        let number = last.flatMap { feed.number(inID: $0) }
        let hello = EventFrame.hello(now: Date(), startsAnew: number == nil, knowsToken: knowsToken)
        let bytes = FeedBytes(feed: feed, seat: seat, opening: hello, after: number)
        return PageResponse.make(.ok, "text/event-stream", HTTPBodySequence(from: bytes))
    }

    private func change(_ path: [String]) async -> HTTPResponse {
        guard path.count == 3, path[0] == "activities", let wish = ActivityControl(rawValue: path[2]),
            let event = feed.latest(path[1])
        else { return notFound }
        guard event.event != .end else { return PageResponse.sentence(.conflict, "It has already ended.") }
        do {
            try await control(path[1], wish)
            return PageResponse.sentence(.accepted, "Asked to \(wish.rawValue).")
        } catch {
            return PageResponse.sentence(.conflict, "\(error)")
        }
    }

    private func claim(of request: HTTPRequest, isControl: Bool) -> AccessRule.Claim {
        let cookies = (request.headers[.cookie] ?? "").split(separator: ";").compactMap { pair -> String? in
            let text = pair.trimmingCharacters(in: .whitespaces)
            return text.hasPrefix("\(cookie)=") ? String(text.dropFirst(cookie.count + 1)) : nil
        }
        let header = request.headers[.authorization].flatMap { text in
            text.hasPrefix("Bearer ") ? String(text.dropFirst(7)) : nil
        }
        return AccessRule.Claim(
            host: request.headers[.host], origin: request.headers[HTTPHeader("Origin")],
            site: request.headers[HTTPHeader("Sec-Fetch-Site")],
            tokens: cookies + [header, request.query["token"]].compactMap(\.self), isControl: isControl)
    }

    /// The cookie is the rule's own token, never the request's word.
    private func moveToCookie(_ path: [String]) -> HTTPResponse {
        let place =
            "/"
            + path.map { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
            .joined(separator: "/")
        return PageResponse.sentence(
            .seeOther, "The page is at \(place).",
            [.location: place, .setCookie: "\(cookie)=\(rule.token.text); Path=/; HttpOnly; SameSite=Lax"])
    }

    private func refusal(_ words: String) -> HTTPResponse {
        PageResponse.sentence(.forbidden, "\(words): open the link that rushes serve printed.")
    }

    private var notFound: HTTPResponse { PageResponse.sentence(.notFound, "There is no such thing here.") }
}
