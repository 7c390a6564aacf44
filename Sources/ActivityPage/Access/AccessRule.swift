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
