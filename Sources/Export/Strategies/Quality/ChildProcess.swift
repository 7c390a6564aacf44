import Errors
import Foundation
import SystemPackage
import Threads

/// Another program that is run to its end for its words.
package struct ChildProcess: Sendable {
    /// The exit status; for a program that a signal ended, the negative number of the signal.
    package var status: Int32
    /// What it wrote to its output and its errors, as it came.
    package var words: String

    /// Runs a program and reads what it writes. Blocks.
    ///
    /// It has its own ends of signals: one that writes now and then ends soon after this process does, by SIGPIPE, though
    /// this process may ignore that.
    ///
    /// - Parameters:
    ///   - limit: after which it is ended.
    ///   - goesOn: asked several times a second; once it says no, the program is ended.
    /// - Throws: ``RushesError`` if it cannot be started or takes too long; `CancellationError`.
    package init(_ program: String, _ arguments: [String], within limit: Duration, while goesOn: () -> Bool) throws {
        let ends = try Self.pipe()
        defer { try? ends.readEnd.close() }
        let child: pid_t
        do {
            defer { try? ends.writeEnd.close() }
            child = try Self.start(program, arguments, output: ends.writeEnd)
        }
        var isReaped = false
        defer {
            if !isReaped {
                kill(child, SIGKILL)
                waitpid(child, nil, 0)
            }
        }
        let end = TimeLimit(limit)
        var bytes: [UInt8] = []
        var isOpen = true
        while true {
            guard goesOn() else { throw CancellationError() }
            guard !end.isOver else {
                throw RushesError(
                    .stalled, "\(program) did not end within \(limit.secondsText) seconds; it was stopped.")
            }
            if isOpen { isOpen = try Self.read(ends.readEnd, into: &bytes) }
            var status: Int32 = 0
            // Only when all is read: a program that waits for its reader does not end.
            if !isOpen, waitpid(child, &status, WNOHANG) == child {
                isReaped = true
                self.status = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
                words = String(decoding: bytes, as: UTF8.self)
                return
            }
            if !isOpen { OwnThread.sleep(.milliseconds(10)) }
        }
    }

    /// Not for other children: one that kept the writing end open would hide this one's end. A pair of sockets can be made
    /// so in one step, where Swift does not import `pipe2`.
    private static func pipe() throws -> (readEnd: FileDescriptor, writeEnd: FileDescriptor) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Errno(rawValue: errno) }
        return (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    }

    /// Waits a moment for more. False at the end.
    private static func read(_ file: FileDescriptor, into bytes: inout [UInt8]) throws -> Bool {
        var look = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
        guard poll(&look, 1, 100) > 0 else { return true }
        var part = [UInt8](repeating: 0, count: 4096)
        let count = try part.withUnsafeMutableBytes { try file.read(into: $0) }
        bytes += part.prefix(count)
        return count > 0
    }

    private static func start(_ program: String, _ arguments: [String], output: FileDescriptor) throws -> pid_t {
        do {
            return try NewProcess.start(program, [program] + arguments, output: output.rawValue, .group)
        } catch {
            let reason = Errno(rawValue: error.code.rawValue)
            throw RushesError(.encoderFailed, "\(program) cannot be started: \(reason).")
        }
    }
}
