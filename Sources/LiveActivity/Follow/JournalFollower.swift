import FileSystem
import Foundation
import SystemPackage
import Threads

/// Follows all processes of a journal, on a thread of its own: their sockets for what happens, the files for who is there
/// and for what no socket tells, because its process was killed, was stopped, or is on another machine.
struct JournalFollower {
    private let folder: JournalFolder
    private var ledger = FollowLedger()
    /// One for each process, by its socket's path.
    private var links: [String: FollowLink] = [:]
    private var history: HistoryCursor
    private let watch: FolderWatch?
    private var nextSweep = Date.distantPast

    init(_ folder: JournalFolder) {
        self.folder = folder
        try? folder.create()
        watch = try? FolderWatch([folder.path, folder.live], [.movedHere, .deleted, .created, .written])
        // Before anything is read: what ends meanwhile is found after it.
        history = HistoryCursor(folder.history)
    }

    /// What has already ended and is still shown.
    mutating func begin(now: Date) -> [ActivityEvent] {
        let ended = (try? folder.history.tail(100, now: now)) ?? []
        return ended.filter { $0.state(at: now) == .ended }.flatMap { admit($0.replay) }
    }

    /// Waits a second at most for something to happen, and tells what has.
    mutating func step() -> [ActivityEvent] {
        wait()
        var events: [ActivityEvent] = []
        for path in links.keys { events += admit(links[path]?.receive() ?? []) }
        let hasLostLink = links.values.contains { $0.isOver }
        for (path, link) in links where link.isOver {
            link.close()
            links[path] = nil
        }
        let now = Date()
        if hasLostLink || now >= nextSweep || watch == nil {
            nextSweep = now.addingTimeInterval(1)
            for entry in (try? folder.sweep(now: now)) ?? [] { events += meet(entry) }
        } else {
            for id in (try? folder.liveIdentifiers()) ?? [] where !ledger.knows(id) {
                if let entry = folder.entry(id) { events += meet(entry) }
            }
        }
        for record in history.news() { events += admit(record.replay) }
        return events
    }

    func close() {
        for link in links.values { link.close() }
    }

    private mutating func meet(_ entry: LiveEntry) -> [ActivityEvent] {
        if let socket = entry.socket, links[socket] == nil { links[socket] = FollowLink(FilePath(socket)) }
        // A socket tells every update, the file only the latest.
        let isLinked = entry.socket.map { links[$0] != nil } ?? false
        return isLinked && ledger.knows(entry.record.id) && entry.record.last.event != .end
            ? [] : admit(entry.record.replay)
    }

    private mutating func admit(_ events: [ActivityEvent]) -> [ActivityEvent] {
        events.compactMap { ledger.admit($0) }
    }

    private func wait() {
        var polled = links.values.map { pollfd(fd: $0.file.rawValue, events: Int16(POLLIN), revents: 0) }
        if let watch { polled.append(pollfd(fd: watch.descriptor.rawValue, events: Int16(POLLIN), revents: 0)) }
        let rest = Duration.seconds(min(1, nextSweep.timeIntervalSinceNow))
        _ = poll(&polled, nfds_t(polled.count), rest.pollMilliseconds)
        watch?.drain()
    }
}

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
