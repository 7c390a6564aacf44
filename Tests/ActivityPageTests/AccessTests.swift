import Foundation
import Testing

@testable import ActivityPage

@Suite struct AccessTests {
    private let token = AccessToken(text: "secret")

    private func verdict(
        loopback: Bool = true, host: String? = "127.0.0.1:8090", origin: String? = nil, site: String? = nil,
        tokens: [String] = [], control: Bool = false
    ) -> AccessRule.Verdict {
        AccessRule(token: token, isLoopback: loopback, names: ["shed", "shed.local"]).verdict(
            on: AccessRule.Claim(host: host, origin: origin, site: site, tokens: tokens, isControl: control))
    }

    @Test(arguments: ["127.0.0.1:8090", "localhost:8090", "LOCALHOST", "[::1]:8090", "127.8.8.8"])
    func `on loopback, this machine's own names are served without a token`(host: String) {
        #expect(verdict(host: host) == .allowed(knowsToken: false))
    }

    @Test func `on loopback too, who steers has the token`() {
        #expect(verdict(control: true) == .tokenMissing)
        #expect(verdict(tokens: ["wrong"], control: true) == .tokenMissing)
        #expect(verdict(tokens: ["secret"], control: true) == .allowed(knowsToken: true))
    }

    @Test(arguments: [
        "evil.example", "evil.example:8090", "127.0.0.1.evil.example", "localhost.evil.example", "", "[::1",
        "[evil]:80",
        "127.0.0.1:x", "a:b:c", "192.168.1.5:8090", "shed:8090",
    ])
    func `on loopback, any other host is refused`(host: String) {
        #expect(verdict(host: host) == .foreign)
        #expect(verdict(host: host, tokens: ["secret"]) == .foreign)
        #expect(verdict(host: nil) == .foreign)
    }

    @Test(arguments: ["192.168.1.5:8090", "[fe80::1]:8090", "shed", "Shed.local:8090", "127.0.0.1:8090"])
    func `elsewhere, addresses and the machine's names are served to who has the token`(host: String) {
        #expect(verdict(loopback: false, host: host) == .tokenMissing)
        #expect(verdict(loopback: false, host: host, tokens: ["wrong", "secre", "secret2", ""]) == .tokenMissing)
        #expect(verdict(loopback: false, host: host, tokens: ["wrong", "secret"]) == .allowed(knowsToken: true))
    }

    @Test func `elsewhere, a name that may have been pointed here is refused even with the token`() {
        #expect(verdict(loopback: false, host: "rebound.example:8090", tokens: ["secret"]) == .foreign)
    }

    @Test func `requests of other sites are refused, commands also without an origin`() {
        #expect(verdict(origin: "http://127.0.0.1:8090") == .allowed(knowsToken: false))
        #expect(
            verdict(origin: "http://127.0.0.1:8090", tokens: ["secret"], control: true) == .allowed(knowsToken: true))
        for origin in ["http://evil.example", "null", "http://127.0.0.1:8091", "http://localhost:8090", "file://", ""] {
            #expect(verdict(origin: origin, control: true) == .foreign, "\(origin)")
            #expect(verdict(origin: origin) == .foreign, "\(origin)")
        }
        #expect(verdict(site: "cross-site", control: true) == .foreign)
        #expect(verdict(site: "same-site", control: true) == .foreign)
        #expect(verdict(site: "same-origin", tokens: ["secret"], control: true) == .allowed(knowsToken: true))
        #expect(verdict(site: "cross-site") == .allowed(knowsToken: false))
    }

    @Test func `each token is another, long, and fits a link`() {
        let tokens = Set((0..<100).map { _ in AccessToken().text })
        #expect(tokens.count == 100)
        #expect(tokens.allSatisfy { $0.wholeMatch(of: #/[a-z2-9]{32}/#) != nil })
    }

    @Test func `addresses are digits and a port`() throws {
        #expect(PageAddress("127.0.0.1:8090") == .standard)
        #expect(PageAddress("localhost:80")?.description == "127.0.0.1:80")
        #expect(PageAddress("[::1]:80")?.description == "[::1]:80")
        #expect(PageAddress("[::1]:80")?.isLoopback == true)
        #expect(PageAddress("0.0.0.0:80")?.isLoopback == false)
        for wrong in [
            "", "8090", ":8090", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "host:80", "::1:80", "1.2.3:4",
        ] {
            #expect(PageAddress(wrong) == nil, "\(wrong)")
        }
        let link = try #require(PageAddress("0.0.0.0:80")).link(token: token)
        #expect(link.hasSuffix(":80/?token=secret"))
    }
}
