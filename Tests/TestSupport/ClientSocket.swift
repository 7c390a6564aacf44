public import Foundation
import Threads

/// A TCP connection to this machine, which sends and reads when the test wants it.
public final class ClientSocket: Sendable {
    /// The other side has ended it.
    public struct Gone: Error { public init() {} }

    private let number: Int32

    public init(port: UInt16) throws {
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw Gone() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, size) }
        }
        guard result == 0 else { throw Gone() }
    }

    deinit { Foundation.close(number) }

    /// Both directions; the number stays this object's.
    public func close() { shutdown(number, Int32(SHUT_RDWR)) }

    /// What is there, at least a byte.
    ///
    /// - Throws: ``Gone`` at the end.
    public func read(atMost count: Int = 16384) async throws -> [UInt8] {
        while true {
            var buffer = [UInt8](repeating: 0, count: count)
            let result = recv(number, &buffer, count, Int32(MSG_DONTWAIT))
            if result > 0 { return Array(buffer[..<result]) }
            guard result < 0, errno == EAGAIN || errno == EINTR else { throw Gone() }
            await Readability.wait(for: number)
        }
    }

    /// All that comes until the other side ends it.
    public func readToEnd() async -> Data {
        var data = Data()
        while let bytes = try? await read() { data += bytes }
        return data
    }

    /// Sends all of it, however slowly it is taken; what comes back may be read meanwhile.
    ///
    /// - Returns: how many bytes were taken.
    @discardableResult public func write(_ bytes: Data) async throws -> Int {
        let number = number
        return try await onOwnThread("client-write") {
            var sent = 0
            while sent < bytes.count {
                let rest = bytes.dropFirst(sent)
                let count = rest.withUnsafeBytes {
                    send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { break }
                sent += count
            }
            return sent
        }
    }
}
