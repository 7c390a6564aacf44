import Foundation
import SystemPackage
import Threads

/// A part of a result that is to be sent.
struct Transfer: Sendable {
    let file: ResultFile
    /// Bytes of the file.
    let range: Range<Int64>
    fileprivate let place: ReaderSeat
}

/// Results on their way: each is sent by a thread of its own, as disks block and people stop to look.
final class Transfers: Sendable {
    private struct State {
        var places = 0
        var sockets: Set<Int32> = []
        var isClosed = false
    }
    private let state = Locked(State())
    private let limits: PageLimits

    init(_ limits: PageLimits) { self.limits = limits }

    /// The answer that sends a result, or the part of it that was asked for.
    func answer(_ file: ResultFile, range: String?, ifRange: String?) -> PageAnswer {
        guard let place = takePlace() else {
            return .sentence(503, "Too many results are being sent.", ["Retry-After": "10"])
        }
        // Shown, and saved under its own name by a browser that cannot play it (RFC 6266, RFC 8187).
        let name = file.name.addingPercentEncoding(withAllowedCharacters: .urlUnreserved) ?? ""
        var headers = [
            "Accept-Ranges": "bytes", "ETag": file.tag, "Content-Disposition": "inline; filename*=UTF-8''\(name)",
        ]
        // Somebody who has a part of another file gets this one whole.
        guard let range, ifRange == nil || ifRange == file.tag, let wish = ByteRange(range) else {
            return PageAnswer(
                200, file.contentType, .file(Transfer(file: file, range: 0..<file.size, place: place)), headers)
        }
        guard let bytes = wish.bytes(of: file.size) else {
            return .sentence(416, "The file has no such part.", ["Content-Range": "bytes */\(file.size)"])
        }
        headers["Content-Range"] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(file.size)"
        return PageAnswer(206, file.contentType, .file(Transfer(file: file, range: bytes, place: place)), headers)
    }

    private func takePlace() -> ReaderSeat? {
        let isFree = state.withLock { state in
            guard state.places < limits.transfers, !state.isClosed else { return false }
            state.places += 1
            return true
        }
        return isFree ? ReaderSeat { [state] in state.withLock { $0.places -= 1 } } : nil
    }

    /// Sends a file, and closes the socket in the end.
    func begin(_ transfer: Transfer, on socket: FileDescriptor) {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.sockets.insert(socket.rawValue) }
            return !state.isClosed
        }
        let hasBegun =
            isOpen
            && OwnThread.run("rushes-page-result") { [self] in
                send(transfer, on: socket)
                close(socket)
            }
        if !hasBegun { close(socket) }
    }

    /// Ends all of them.
    func close() {
        state.withLock { state in
            state.isClosed = true
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    private func close(_ socket: FileDescriptor) {
        // Under the lock: once it is closed, its number may be another's.
        state.withLock { state in
            state.sockets.remove(socket.rawValue)
            try? socket.close()
        }
    }

    private func send(_ transfer: Transfer, on socket: FileDescriptor) {
        var place = transfer.range.lowerBound
        while place < transfer.range.upperBound {
            let count = min(Int64(262_144), transfer.range.upperBound - place)
            guard let bytes = transfer.file.read(at: place, count: Int(count)), !bytes.isEmpty,
                PageSocket.sendAll(bytes[...], to: socket, stall: limits.stall)
            else { return }
            place += Int64(bytes.count)
        }
        // A close with unread bytes would sweep away what was sent.
        shutdown(socket.rawValue, Int32(SHUT_WR))
        var polled = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        _ = poll(&polled, 1, limits.linger.pollMilliseconds)
    }
}

/// One part of a file as a `Range` header names it (RFC 9110, section 14.1): "bytes=2-4", "bytes=2-", "bytes=-3".
struct ByteRange: Equatable {
    var first: Int64?
    var last: Int64?

    /// `nil` for anything else, several parts for one: then the whole is sent.
    init?(_ header: String) {
        guard let match = header.wholeMatch(of: #/bytes=([0-9]{0,18})-([0-9]{0,18})/#) else { return nil }
        (first, last) = (Int64(match.1), Int64(match.2))
        if first == nil, last == nil { return nil }
        if let first, let last, last < first { return nil }
    }

    /// `nil` where the file has no such part.
    func bytes(of size: Int64) -> Range<Int64>? {
        guard let first else {
            guard let last, last > 0, size > 0 else { return nil }
            return max(0, size - last)..<size
        }
        return first < size ? first..<min(size, (last ?? size - 1) + 1) : nil
    }
}
