import Foundation
import SystemPackage
import Threads

/// Asks a process something at its socket and waits for the answer.
enum SocketClient {
    /// Blocks its thread, for so long at most.
    ///
    /// - Returns: the answer, or `nil` if there was none.
    static func ask(_ request: SocketRequest, at path: FilePath, within limit: Duration) -> SocketReply? {
        let limit = TimeLimit(limit)
        guard let file = connect(to: path, within: limit) else { return nil }
        defer { try? file.close() }
        var lines = Lines(limit: 65536)
        guard UnixSocket.isTrusted(file), send(request, to: file) else { return nil }
        while !limit.isOver {
            var polled = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, limit.left.pollMilliseconds) > 0 else { continue }
            guard let bytes = StreamSocket.receive(from: file), let complete = lines.add(bytes) else { return nil }
            if let line = complete.first { return try? JSONDecoder().decode(SocketReply.self, from: Data(line)) }
        }
        return nil
    }

    private static func connect(to path: FilePath, within limit: TimeLimit) -> FileDescriptor? {
        while true {
            do {
                return try UnixSocket.connect(to: path)
            } catch Errno.resourceTemporarilyUnavailable where !limit.isOver {
                // So many wait there already.
                OwnThread.sleep(.milliseconds(10))
            } catch { return nil }
        }
    }

    /// A request is short: a socket that does not take it at once has no reader.
    static func send(_ request: SocketRequest, to file: FileDescriptor) -> Bool {
        let bytes = Array(Wire.encode(request) ?? Data()) + [UInt8(ascii: "\n")]
        return StreamSocket.send(bytes, to: file) == bytes.count
    }
}
