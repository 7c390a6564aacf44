import FileSystem
import Threads
import Encoding
import GStreamer
import MovieFiles
import Synchronization
import SystemPackage

/// The free space of a disk and what became of the file on it, asked for on a thread of its own: a network disk that has gone
/// away answers never.
final class DiskSpace: Sendable {
    private let folder: FilePath
    private let file: @Sendable () -> Int64?
    private let find: @Sendable () -> FileWhereabouts
    private let latest = Atomic<Int64>(-1)
    private let place = Locked(FileWhereabouts.here)
    private let isAsking = Atomic(false)

    /// - Parameter file: bytes free on the disk of the open file, wherever its folder is by now; `nil` where none is open.
    init(
        _ folder: FilePath, file: @escaping @Sendable () -> Int64? = { nil },
        find: @escaping @Sendable () -> FileWhereabouts
    ) {
        (self.folder, self.file, self.find) = (folder, file, find)
    }

    /// Where the file was at the last answer.
    var whereabouts: FileWhereabouts { place.withLock { $0 } }

    /// Bytes free at the last answer, or `nil` if none came yet.
    var free: Int64? {
        let value = latest.load(ordering: .relaxed)
        return value < 0 ? nil : value
    }

    /// Asks again, unless the last question is still open.
    func refresh() {
        guard !isAsking.exchange(true, ordering: .acquiring) else { return }
        let hasBegun = OwnThread.run("rushes-disk") { [self] in
            if let bytes = file() ?? freeSpace(folder) { latest.store(bytes, ordering: .relaxed) }
            let found = find()
            place.withLock { $0 = found }
            isAsking.store(false, ordering: .releasing)
        }
        if !hasBegun { isAsking.store(false, ordering: .releasing) }
    }
}
