import Foundation
package import SystemPackage
import Threads

/// Tells what happens to the names in folders (inotify(7)).
package final class FolderWatch: Sendable {
    /// What is told.
    package struct Events: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let created = Events(rawValue: UInt32(IN_CREATE))
        package static let deleted = Events(rawValue: UInt32(IN_DELETE))
        package static let movedHere = Events(rawValue: UInt32(IN_MOVED_TO))
        /// Who wrote the file has closed it.
        package static let written = Events(rawValue: UInt32(IN_CLOSE_WRITE))
    }

    /// Can be read from when something has happened, for who polls several.
    package let descriptor: FileDescriptor
    private let events: Events

    /// - Parameter folders: more can be added.
    /// - Throws: why there can be none: a folder is missing, or the system has no watch left. Then one looks now and then.
    package init(_ folders: [FilePath], _ events: Events) throws(Errno) {
        let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard number >= 0 else { throw Errno(rawValue: errno) }
        (descriptor, self.events) = (FileDescriptor(rawValue: number), events)
        // What throws here closes the descriptor, as all is initialized.
        for folder in folders { _ = try add(folder) }
    }

    deinit { try? descriptor.close() }

    /// Watches a folder too.
    ///
    /// - Returns: the folder's number, the same as long as it is this folder, whatever it is called.
    /// - Throws: why it cannot be watched.
    package func add(_ folder: FilePath) throws(Errno) -> Int32 {
        let number = folder.withPlatformString { inotify_add_watch(descriptor.rawValue, $0, events.rawValue) }
        guard number >= 0 else { throw Errno(rawValue: errno) }
        return number
    }

    /// Watches a folder no more; one that is gone is not watched any more.
    package func remove(_ folder: Int32) { inotify_rm_watch(descriptor.rawValue, folder) }

    /// Waits for something to happen, and returns the names to which it did; each as often as it did. Blocks.
    package func names(within limit: Duration) -> [FilePath.Component] { changes(within: limit).map(\.name) }

    /// The same with the number of the folder that each name is in.
    package func changes(within limit: Duration) -> [(folder: Int32, name: FilePath.Component)] {
        var waiting = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, limit.pollMilliseconds) > 0 else { return [] }
        return Self.changes(in: read()[...])
    }

    /// Forgets what has happened.
    package func drain() { while !read().isEmpty {} }

    private func read() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
            count = (try? descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
    }

    /// `struct inotify_event`: four numbers of four bytes, the first of them the folder's, the last the length of the name that follows.
    private static func changes(in bytes: ArraySlice<UInt8>) -> [(folder: Int32, name: FilePath.Component)] {
        var changes: [(folder: Int32, name: FilePath.Component)] = []
        var rest = bytes
        func number(at offset: Int) -> UInt32 {
            rest.dropFirst(offset).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        while rest.count >= 16 {
            let length = Int(number(at: 12))
            let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
            if let component = FilePath.Component(platformString: name) {
                changes.append((Int32(bitPattern: number(at: 0)), component))
            }
            rest = rest.dropFirst(16 + length)
        }
        return changes
    }
}
