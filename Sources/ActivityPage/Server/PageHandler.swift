import Errors
import Foundation
import LiveActivity
import Threads

/// Answers the page's requests. Every one passes the access rule first, and nobody without the token gets a thread or a task.
struct PageHandler: Sendable {
    enum Reply {
        case now(PageAnswer)
        /// What has to ask a disk or another process.
        case later(@Sendable () async -> PageAnswer)
    }

    let feed: ActivityFeed
    let transfers: Transfers
    let rule: AccessRule
    /// The token's cookie; its name has the port, as browsers share cookies among the ports of a host.
    let cookie: String
    let offers: @Sendable (String) async -> Set<ActivityControl>
    let control: @Sendable (String, ActivityControl) async throws -> Void
    let remedies: PageRemedies

    /// What is for nobody without the token, also on loopback: all users of a machine share that.
    private static let closed: Set<String> = ["thumbnail", "controls", "result"]

    func reply(to request: PageRequest) -> (reply: Reply, knowsToken: Bool) {
        let isControl = request.method == "POST"
        guard isControl || request.method == "GET" else {
            return (.now(.sentence(405, "The page knows GET and POST.", ["Allow": "GET, POST"])), false)
        }
        switch rule.verdict(on: claim(of: request, isControl: isControl)) {
        case .foreign: return (.now(refusal("This is not for other sites")), false)
        case .tokenMissing: return (.now(refusal("The token is missing or no longer valid")), false)
        case .allowed(let knowsToken):
            return (isControl ? change(request.path) : show(request, knowsToken: knowsToken), knowsToken)
        }
    }

    private func show(_ request: PageRequest, knowsToken: Bool) -> Reply {
        let path = request.path
        switch (path.first, path.count) {
        case (nil, 0), ("activities", 2):
            // The token moves from the link, which people copy and browsers keep, to a cookie that scripts cannot read.
            if knowsToken, request.query["token"] != nil { return .now(moveToCookie(path)) }
            return .now(.file(PageFile.index.data, PageFile.index.contentType))
        case ("events", 1): return .now(events(request, knowsToken: knowsToken))
        case ("page", 2):
            return .now(PageFile.parts[path[1]].map { .file($0.data, $0.contentType) } ?? notFound)
        case ("activities", 3) where Self.closed.contains(path[2]):
            guard knowsToken else { return .now(refusal("This needs the token")) }
            guard let event = feed.latest(path[1]) else { return .now(notFound) }
            return .later { await detail(path[2], of: event, request) }
        default: return .now(notFound)
        }
    }

    private func detail(_ name: String, of event: ActivityEvent, _ request: PageRequest) async -> PageAnswer {
        switch name {
        case "controls":
            let names =
                event.event == .end
                ? await remedies.offers(event).map(\.rawValue).sorted()
                : await offers(event.id).map(\.rawValue).sorted()
            return (try? JSONEncoder().encode(names)).map { .file($0, "application/json") } ?? notFound
        case "thumbnail":
            guard let file = event.contentState.thumbnail,
                let frame = try? await onOwnThread("rushes-thumbnail", { Thumbnail(path: file) })
            else { return notFound }
            return .file(frame.data, frame.contentType)
        default:
            guard let file = try? await onOwnThread("rushes-result", { ResultFile(event) }) else { return notFound }
            return transfers.answer(file, range: request.headers["range"], ifRange: request.headers["if-range"])
        }
    }

    private func events(_ request: PageRequest, knowsToken: Bool) -> PageAnswer {
        guard let seat = feed.takeSeat(knowsToken: knowsToken) else {
            return .sentence(503, "Too many pages are open.", ["Retry-After": "10"])
        }
        // A browser that reconnects by itself sends the header; a page that must connect anew has only the link.
        let last = request.headers["last-event-id"] ?? request.query["last-event-id"]
        let number = last.flatMap { feed.number(inID: $0) }
        let hello = EventFrame.hello(now: Date(), startsAnew: number == nil, knowsToken: knowsToken)
        return PageAnswer(200, "text/event-stream", .events(opening: hello, after: number, seat))
    }

    private func change(_ path: [String]) -> Reply {
        guard path.count == 3, path[0] == "activities", let event = feed.latest(path[1]) else { return .now(notFound) }
        if let remedy = PageRemedy(rawValue: path[2]) { return mend(event, remedy) }
        guard let wish = ActivityControl(rawValue: path[2]) else { return .now(notFound) }
        guard event.event != .end else { return .now(.sentence(409, "It has already ended.")) }
        return .later {
            do {
                try await control(path[1], wish)
                return .sentence(202, "Asked to \(wish.rawValue).")
            } catch {
                return .sentence(409, "\(error)")
            }
        }
    }

    private func mend(_ event: ActivityEvent, _ remedy: PageRemedy) -> Reply {
        guard event.event == .end else { return .now(.sentence(409, "It is still running.")) }
        return .later {
            do { return .sentence(202, try await remedies.apply(event, remedy)) } catch {
                return .sentence(409, "\(error)")
            }
        }
    }

    private func claim(of request: PageRequest, isControl: Bool) -> AccessRule.Claim {
        let cookies = (request.headers["cookie"] ?? "").split(separator: ";").compactMap { pair -> String? in
            let text = pair.trimmingCharacters(in: .whitespaces)
            return text.hasPrefix("\(cookie)=") ? String(text.dropFirst(cookie.count + 1)) : nil
        }
        let header = request.headers["authorization"].flatMap { text in
            text.hasPrefix("Bearer ") ? String(text.dropFirst(7)) : nil
        }
        return AccessRule.Claim(
            host: request.headers["host"], origin: request.headers["origin"],
            site: request.headers["sec-fetch-site"],
            tokens: cookies + [header, request.query["token"]].compactMap(\.self), isControl: isControl)
    }

    /// The cookie is the rule's own token, never the request's word.
    private func moveToCookie(_ path: [String]) -> PageAnswer {
        let place =
            "/"
            + path.map { $0.addingPercentEncoding(withAllowedCharacters: .urlUnreserved) ?? "" }.joined(separator: "/")
        return .sentence(
            303, "The page is at \(place).",
            ["Location": place, "Set-Cookie": "\(cookie)=\(rule.token.text); Path=/; HttpOnly; SameSite=Lax"])
    }

    private func refusal(_ words: String) -> PageAnswer {
        .sentence(403, "\(words): open the link that \(Term.pageServer) printed.")
    }

    private var notFound: PageAnswer { .sentence(404, "Not found.") }
}

extension CharacterSet {
    /// What stands for itself in a link (RFC 3986, section 2.3).
    static let urlUnreserved = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
}
