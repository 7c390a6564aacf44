/// Who may ask for what: a pure decision from the words of a request.
///
/// Against other people on the network there is the token. Against other web sites in the person's own browser there are
/// Host (a site whose name was pointed here, "DNS rebinding") and Origin (a site that sends requests here).
struct AccessRule: Sendable {
    /// What a request says about where it comes from.
    struct Claim {
        var host: String?
        var origin: String?
        /// `Sec-Fetch-Site`: what the browser says about the page that asks.
        var site: String?
        /// The token in the cookie, the `Authorization` header or the link.
        var tokens: [String] = []
        /// Whether it changes something.
        var isControl = false
    }

    enum Verdict: Equatable {
        case allowed(knowsToken: Bool)
        /// Not asked by this page.
        case foreign
        case tokenMissing
    }

    let token: AccessToken
    /// Whether only this machine can ask; then looking needs no token. All else does: a machine has other users.
    let isLoopback: Bool
    /// Names of this machine that its people may have typed.
    let names: Set<String>

    func verdict(on claim: Claim) -> Verdict {
        guard let host = claim.host, isOwn(host), claim.origin.map({ isOwn(origin: $0, host: host) }) ?? true else {
            return .foreign
        }
        // A link from another site to the page is welcome; a command from there is not.
        if claim.isControl, let site = claim.site, site != "same-origin", site != "none" { return .foreign }
        let knowsToken = claim.tokens.contains { token.matches($0) }
        return knowsToken || (isLoopback && !claim.isControl) ? .allowed(knowsToken: knowsToken) : .tokenMissing
    }

    /// A name that leads here and that no other site can have: an address in digits, or this machine's own name.
    private func isOwn(_ host: String) -> Bool {
        guard let name = HostName(host) else { return false }
        if name.isLoopback { return true }
        return !isLoopback && (name.isAddress || names.contains(name.text))
    }

    /// Browsers send the page's own origin with every POST; `https` where a proxy in front adds it.
    private func isOwn(origin: String, host: String) -> Bool {
        let (origin, host) = (origin.lowercased(), host.lowercased())
        return origin == "http://\(host)" || origin == "https://\(host)"
    }
}

/// The secret in the page's link: whoever has it may see the page from elsewhere, control activities and open results.
public struct AccessToken: Sendable {
    /// 160 bits, in characters that need no escape in a link or a QR code.
    public let text: String

    /// A new token, from the system's source of randomness.
    public init() {
        var source = SystemRandomNumberGenerator()
        let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789")
        text = String((0..<32).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &source)] })
    }

    init(text: String) { self.text = text }

    /// Takes as long for a guess that is nearly right as for any other, so that time tells nothing about the secret.
    public func matches(_ guess: String) -> Bool {
        let (own, other) = (Array(text.utf8), Array(guess.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
