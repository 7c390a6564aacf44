import Foundation

/// The host in a `Host` header, without its port: a name, or an address in digits.
struct HostName {
    let text: String
    let isAddress: Bool

    init?(_ header: String) {
        var name = Substring(header.lowercased())
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return nil }
            let port = name[name.index(after: end)...]
            guard port.isEmpty || Self.isPort(port) else { return nil }
            name = name[name.index(after: name.startIndex)..<end]
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(name), &address) == 1 else { return nil }
            (text, isAddress) = (String(name), true)
            return
        }
        if let colon = name.lastIndex(of: ":") {
            guard Self.isPort(name[colon...]) else { return nil }
            name = name[..<colon]
        }
        guard !name.isEmpty, !name.contains(":") else { return nil }
        var address = in_addr()
        (text, isAddress) = (String(name), inet_pton(AF_INET, String(name), &address) == 1)
    }

    var isLoopback: Bool {
        text == "localhost" || text == "::1" || (isAddress && text.hasPrefix("127."))
    }

    /// This machine's name, as it stands and as others on the network find it by multicast DNS.
    static let own: Set<String> = {
        var text = [CChar](repeating: 0, count: 256)
        guard gethostname(&text, text.count - 1) == 0 else { return [] }
        let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).lowercased()
        return name.isEmpty ? [] : [name, "\(name).local"]
    }()

    private static func isPort(_ text: Substring) -> Bool {
        text.hasPrefix(":") && UInt16(text.dropFirst()) != nil
    }
}
