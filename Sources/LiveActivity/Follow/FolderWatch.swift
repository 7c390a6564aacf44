import Foundation
import SystemPackage

/// Tells when files come to folders, go, or are written (inotify).
struct FolderWatch {
    let file: FileDescriptor

    /// `nil` where the system has no watch left; then one looks now and then.
    init?(_ folders: [FilePath]) {
        let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard number >= 0 else { return nil }
        file = FileDescriptor(rawValue: number)
        let what = UInt32(IN_MOVED_TO | IN_DELETE | IN_CREATE | IN_CLOSE_WRITE)
        for folder in folders where inotify_add_watch(number, folder.string, what) < 0 {
            close()
            return nil
        }
    }

    func drain() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count? = try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {}
    }

    func close() { try? file.close() }
}
