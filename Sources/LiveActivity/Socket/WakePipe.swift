import Foundation
package import SystemPackage

/// Wakes a thread that waits in poll.
package final class WakePipe: Sendable {
    package let reading: FileDescriptor
    private let writing: FileDescriptor

    /// - Throws: `Errno` if no more files can be opened.
    package init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Errno(rawValue: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (reading, writing) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    }

    deinit {
        try? reading.close()
        try? writing.close()
    }

    /// A pipe that is full wakes as well.
    package func ring() { _ = try? writing.writeAll([1]) }

    package func drain() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        _ = try? bytes.withUnsafeMutableBytes { try reading.read(into: $0) }
    }
}
