import Foundation
package import SystemPackage

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

    /// - Throws: why there can be none: a folder is missing, or the system has no watch left. Then one looks now and then.
    package init(_ folders: [FilePath], _ events: Events) throws(Errno) {
        let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard number >= 0 else { throw Errno(rawValue: errno) }
        for folder in folders
        where folder.withPlatformString({ inotify_add_watch(number, $0, events.rawValue) }) < 0 {
            let reason = Errno(rawValue: errno)
            close(number)
            throw reason
        }
        descriptor = FileDescriptor(rawValue: number)
    }

    deinit { try? descriptor.close() }

    /// Waits for something to happen, and returns the names to which it did; each as often as it did. Blocks.
    package func names(within seconds: Double) -> [FilePath.Component] {
        var waiting = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(seconds * 1000)) > 0 else { return [] }
        return Self.names(in: read()[...])
    }

    /// Forgets what has happened.
    package func drain() { while !read().isEmpty {} }

    private func read() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
            count = (try? descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
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
