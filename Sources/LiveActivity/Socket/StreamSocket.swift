import Foundation
package import SystemPackage

/// Sockets of any kind whose bytes come and go without waiting.
package enum StreamSocket {
    /// The next one that waits, or `nil`.
    ///
    /// - Throws: `Errno`, `tooManyOpenFiles` for one.
    package static func accept(_ listener: FileDescriptor) throws -> FileDescriptor? {
        let number = Foundation.accept(listener.rawValue, nil, nil)
        guard number >= 0 else {
            if errno == EAGAIN || errno == EINTR || errno == ECONNABORTED { return nil }
            throw Errno(rawValue: errno)
        }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
        return FileDescriptor(rawValue: number)
    }

    /// Sends what goes at once: the count of bytes, 0 if the other side does not read, `nil` if it is gone.
    package static func send(_ bytes: some Collection<UInt8>, to file: FileDescriptor) -> Int? {
        let count = Array(bytes).withUnsafeBytes {
            Foundation.send(file.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? 0 : nil }
        return count
    }

    /// Reads what is there: empty if there is nothing yet, `nil` at the end.
    package static func receive(from file: FileDescriptor) -> [UInt8]? {
        var (count, code): (Int, Int32) = (0, 0)
        let bytes = [UInt8](unsafeUninitializedCapacity: 16384) { buffer, filled in
            count = recv(file.rawValue, buffer.baseAddress, buffer.count, 0)
            (code, filled) = (errno, max(0, count))
        }
        if count < 0 { return code == EAGAIN || code == EINTR ? [] : nil }
        return count == 0 ? nil : bytes
    }
}
