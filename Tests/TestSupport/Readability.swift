import Foundation
import Threads

/// Tells when descriptors have something to read, on one thread for all.
///
/// Not a dispatch source: on Linux (Swift 6.3) one of many made anew for the same descriptor is never told of its end.
enum Readability {
    private static let waiting = Locked<[Int32: CheckedContinuation<Void, Never>]>([:])
    private static let wake: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, OwnThread.run("client-poll", run) else { return (-1, -1) }
        return (ends[0], ends[1])
    }()

    /// Waits until the descriptor has bytes, an end or an error. One waits for a descriptor at a time.
    static func wait(for descriptor: Int32) async {
        await withCheckedContinuation { continuation in
            waiting.withLock { $0[descriptor] = continuation }
            var byte: UInt8 = 0
            _ = write(wake.writing, &byte, 1)
        }
    }

    @Sendable private static func run() {
        while true {
            var polled = [pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0)]
            polled += waiting.withLock { $0.keys.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) } }
            guard poll(&polled, nfds_t(polled.count), 1000) > 0 else { continue }
            if polled[0].revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 4096)
                _ = read(wake.reading, &bytes, bytes.count)
            }
            for entry in polled.dropFirst() where entry.revents != 0 {
                waiting.withLock { $0.removeValue(forKey: entry.fd) }?.resume()
            }
        }
    }
}
