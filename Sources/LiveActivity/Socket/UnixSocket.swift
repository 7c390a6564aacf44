import Foundation
import SystemPackage

/// Unix stream sockets that never block and are gone in a program that is started.
enum UnixSocket {
    /// - Throws: `Errno`, `addressInUse` if something has that name already.
    static func listen(at path: FilePath) throws -> FileDescriptor {
        let file = try make()
        do {
            try withAddress(path) { bind(file.rawValue, $0, $1) }
            // The folder keeps others out; this is for one that has a wider mode.
            chmod(path.string, 0o600)
            try check(Foundation.listen(file.rawValue, 1024))
            return file
        } catch {
            try? file.close()
            throw error
        }
    }

    /// - Throws: `Errno`: `connectionRefused` and `noSuchFileOrDirectory` if nobody listens there,
    ///   `resourceTemporarilyUnavailable` if too many wait already.
    static func connect(to path: FilePath) throws -> FileDescriptor {
        let file = try make()
        do {
            try withAddress(path) { Foundation.connect(file.rawValue, $0, $1) }
            return file
        } catch {
            try? file.close()
            throw error
        }
    }

    /// Whether the other side is this user's process, or root's.
    static func isTrusted(_ file: FileDescriptor) -> Bool {
        // struct ucred of unix(7), which Swift's Glibc leaves out: pid, uid, gid.
        var credentials: [UInt32] = [0, .max, .max]
        var size = socklen_t(12)
        guard getsockopt(file.rawValue, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return false }
        return credentials[1] == geteuid() || credentials[1] == 0
    }

    /// Sends one datagram, if it goes at once. A name that begins with @ is of Linux's abstract namespace.
    static func sendDatagram(_ bytes: [UInt8], to name: String) {
        guard let file = try? make(SOCK_DGRAM) else { return }
        defer { try? file.close() }
        try? withAddress(FilePath(name)) { address, size in
            // An abstract name has no end, so its length counts.
            let length = name.hasPrefix("@") ? socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count) : size
            return sendto(file.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length) < 0 ? -1 : 0
        }
    }

    private static func make(_ type: __socket_type = SOCK_STREAM) throws -> FileDescriptor {
        let kind = Int32(type.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = socket(AF_UNIX, kind, 0)
        try check(number)
        return FileDescriptor(rawValue: number)
    }

    private static func check(_ result: Int32) throws {
        guard result >= 0 else { throw Errno(rawValue: errno) }
    }

    /// An address has room for 107 bytes. A longer path is reached through its open folder, /proc/self/fd/N/NAME.
    private static func withAddress(
        _ path: FilePath, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        var text = path.string
        var folder: FileDescriptor?
        defer { try? folder?.close() }
        if text.utf8.count >= room, let name = path.lastComponent {
            let open = try FileDescriptor.open(
                path.removingLastComponent(), .readOnly, options: [.directory, .closeOnExec])
            folder = open
            text = "/proc/self/fd/\(open.rawValue)/\(name)"
        }
        guard text.utf8.count < room else { throw Errno.fileNameTooLong }
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            bytes.copyBytes(from: text.utf8)
            if text.hasPrefix("@") { bytes[0] = 0 }
        }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        try check(result)
    }
}
