import Foundation
import MovieFiles
public import SystemPackage
import Threads

/// The movies that come to a folder, each when it is complete; those that are there already come first.
public enum FolderArrivals {
    /// Ends when nobody reads it any more.
    ///
    /// - Throws: ``ExportError`` where there is no such folder.
    public static func stream(of folder: FilePath) throws(ExportError) -> AsyncStream<FilePath> {
        guard FolderListing.isFolder(folder) else {
            throw ExportError(.badInput, "\(folder.wireText) is no folder that could be watched; create it first.")
        }
        let watch = FolderWatch(folder)
        return AsyncStream { continuation in
            let isOver = Locked(false)
            continuation.onTermination = { _ in isOver.withLock { $0 = true } }
            let hasBegun = OwnThread.run("rushes-watch") {
                var ledger = ArrivalLedger()
                while !isOver.withLock({ $0 }) {
                    let now = ProcessInfo.processInfo.systemUptime
                    let ready = ledger.take(looks(folder), at: now) { FileWriters.isWritten(folder.appending($0)) }
                    for name in ready { continuation.yield(folder.appending(name)) }
                    watch.names(within: ledger.isWaiting ? soon : later).forEach { ledger.hear($0) }
                }
            }
            if !hasBegun { continuation.finish() }
        }
    }

    /// Seconds between two looks: while something is not complete; and else, for what no event tells of, such as a file
    /// that another machine writes.
    private static let soon = 0.25
    private static let later = 1.0

    private static func looks(_ folder: FilePath) -> [ArrivalLedger.Look] {
        FolderListing.movies(in: folder).compactMap { path in
            guard let name = path.lastComponent, let identity = FileIdentity(path) else { return nil }
            return ArrivalLedger.Look(name: name, identity: identity)
        }
    }
}

/// The names of files that were moved into a folder, or written and closed (inotify(7)).
private final class FolderWatch: Sendable {
    private let number: Int32

    /// Where the system has no watch left, it hears nothing, and the looks have to do.
    init(_ folder: FilePath) {
        number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard number >= 0 else { return }
        _ = folder.withPlatformString { inotify_add_watch(number, $0, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)) }
    }

    deinit { if number >= 0 { close(number) } }

    func names(within seconds: Double) -> [FilePath.Component] {
        guard number >= 0 else {
            usleep(UInt32(seconds * 1e6))
            return []
        }
        var waiting = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(seconds * 1000)) > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = read(number, &bytes, bytes.count)
        return count > 0 ? Self.names(in: bytes[..<count]) : []
    }

    /// `struct inotify_event`: four numbers of four bytes, the last of them the length of the name that follows.
    private static func names(in bytes: ArraySlice<UInt8>) -> [FilePath.Component] {
        var names: [FilePath.Component] = []
        var rest = bytes
        while rest.count >= 16 {
            let length = rest.dropFirst(12).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
            if let component = FilePath.Component(platformString: name) { names.append(component) }
            rest = rest.dropFirst(16 + length)
        }
        return names
    }
}
