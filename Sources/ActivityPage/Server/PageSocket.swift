import Foundation
import SystemPackage
import Threads

/// The page's TCP sockets, which never block.
enum PageSocket {
    /// - Returns: a socket that listens, and its port.
    /// - Throws: `Errno`: `addressInUse` and what else bind(2) says.
    static func listen(at address: PageAddress) throws(Errno) -> (socket: FileDescriptor, port: UInt16) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, String(address.port), &hints, &list) == 0, let place = list?.pointee else {
            throw .addressNotAvailable
        }
        defer { freeaddrinfo(list) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = socket(place.ai_family, kind, 0)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        // The port of a server that has just ended is taken at once.
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        // Inherited by every connection: events are small, and do not wait for more of them.
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
        guard bind(number, place.ai_addr, place.ai_addrlen) == 0, Foundation.listen(number, 1024) == 0 else {
            let reason = Errno(rawValue: errno)
            close(number)
            throw reason
        }
        return (FileDescriptor(rawValue: number), port(of: number) ?? address.port)
    }

    private static func port(of socket: Int32) -> UInt16? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(socket, address, &size) == 0 else { return nil }
                // In both families the port stands behind the family, two bytes in the network's order.
                return UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 2, as: UInt16.self).bigEndian
            }
        }
    }

    /// Throws away what is there, a megabyte at most: the count of bytes, `nil` at the end.
    static func discard(from file: FileDescriptor) -> Int? {
        var total = 0
        return withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 1) { buffer in
            for _ in 0..<16 {
                let count = recv(file.rawValue, buffer.baseAddress, buffer.count, 0)
                if count < 0 { return errno == EAGAIN || errno == EINTR ? total : nil }
                if count == 0 { return nil }
                total += count
            }
            return total
        }
    }

    /// Sends all of it, waiting for the other side no longer than this at a time; false if it is gone or takes nothing.
    ///
    /// Blocks its thread.
    static func sendAll(_ bytes: ArraySlice<UInt8>, to file: FileDescriptor, stall limit: Duration) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = send(
                    file.rawValue, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                if count > 0 {
                    rest = rest.dropFirst(count)
                    continue
                }
                guard count < 0, errno == EAGAIN || errno == EINTR else { return false }
                var polled = pollfd(fd: file.rawValue, events: Int16(POLLOUT), revents: 0)
                guard poll(&polled, 1, limit.pollMilliseconds) != 0 else { return false }
            }
            return true
        }
    }
}
