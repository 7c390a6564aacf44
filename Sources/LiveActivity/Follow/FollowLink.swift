import Foundation
import SystemPackage

/// The connection to one process's socket.
struct FollowLink {
    let file: FileDescriptor
    private(set) var isOver = false
    private var lines = Lines(limit: 65536)

    /// `nil` if nobody answers there.
    init?(_ path: FilePath) {
        guard let file = try? UnixSocket.connect(to: path) else { return nil }
        guard UnixSocket.isTrusted(file), SocketClient.send(SocketRequest(follow: true), to: file) else {
            try? file.close()
            return nil
        }
        self.file = file
    }

    /// All that has arrived. Lines that are no events, of a newer version perhaps, are passed over.
    mutating func receive() -> [ActivityEvent] {
        var events: [ActivityEvent] = []
        while !isOver {
            guard let bytes = StreamSocket.receive(from: file), let complete = lines.add(bytes) else {
                isOver = true
                break
            }
            if bytes.isEmpty { break }
            events += complete.compactMap { try? ActivityEvent(line: Data($0)) }
        }
        return events
    }

    func close() { try? file.close() }
}
