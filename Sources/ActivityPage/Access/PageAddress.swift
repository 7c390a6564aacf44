import Errors
import Foundation
import SystemPackage

/// Where the page listens: an IP address of this machine and a port, "127.0.0.1:8090" or "[::1]:8090".
public struct PageAddress: Sendable, Hashable, LosslessStringConvertible {
    /// The address in digits, without brackets.
    public let host: String
    /// 0: any free one.
    public let port: UInt16
    let isIPv6: Bool

    /// - Parameter text: an address in digits, or `localhost`, a colon and a port from 0 to 65535.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
            let name = HostName(String(text[..<colon]))
        else { return nil }
        guard name.isAddress || name.text == "localhost" else { return nil }
        self.init(host: name.isAddress ? name.text : "127.0.0.1", port: port)
    }

    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
        isIPv6 = host.contains(":")
    }

    /// The default: 127.0.0.1:8090.
    public static let standard = PageAddress(host: "127.0.0.1", port: 8090)

    /// Whether only programs on this machine can reach it.
    public var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

    /// Whether it stands for every address of this machine.
    var isEvery: Bool { host == "0.0.0.0" || host == "::" }

    public var description: String { "\(isIPv6 ? "[\(host)]" : host):\(port)" }

    /// A link for another device: where this listens on every address, one that others can reach.
    public func link(token: AccessToken? = nil) -> String {
        let reachable = isEvery ? PageAddress(host: Self.ownAddress() ?? host, port: port) : self
        return "http://\(reachable)/" + (token.map { "?token=\($0.text)" } ?? "")
    }

    /// The first IPv4 address of an interface that is up and is not the loopback.
    private static func ownAddress() -> String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        for interface in sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap({ $0?.pointee }) {
            let flags = Int32(bitPattern: interface.ifa_flags)
            guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0,
                let address = interface.ifa_addr, Int32(address.pointee.sa_family) == AF_INET
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
                continue
            }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return nil
    }
}

extension RushesError {
    /// Why there is no page.
    init(cannotListenAt address: PageAddress, _ failure: any Error) {
        let sentence =
            switch failure as? Errno {
            case .addressInUse:
                "\(address) is in use, perhaps by another \(Term.pageServer); choose another\(Term.byAddress)"
            case .addressNotAvailable:
                "\(address.host) is not an address of this machine; `ip address` lists them, and 0.0.0.0 means all of them"
            case .permissionDenied:
                "port \(address.port) is for root only; choose one above 1023\(Term.byAddress)"
            default: "the page cannot listen on \(address): \(failure)"
            }
        self.init(.addressUnavailable, on: "\(address)", sentence, underlying: failure)
    }
}
