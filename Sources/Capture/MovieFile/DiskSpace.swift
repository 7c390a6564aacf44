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
    private let writer: MovieWriter
    private let latest = Atomic<Int64>(-1)
    private let place = Locked(FileWhereabouts.here)
    private let isAsking = Atomic(false)
    /// Where the file is, each time that has changed; for one who listens.
    let changes: AsyncStream<FileWhereabouts>
    private let changed: AsyncStream<FileWhereabouts>.Continuation

    /// - Parameters:
    ///   - folder: what is asked about as long as no file is open; a file's own disk is known wherever its folder is by now.
    ///   - writer: of the file.
    init(_ folder: FilePath, _ writer: MovieWriter) {
        (self.folder, self.writer) = (folder, writer)
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
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
            if let bytes = writer.freeBytes ?? freeSpace(folder) { latest.store(bytes, ordering: .relaxed) }
            let found = writer.whereabouts
            let isNew = place.withLock { place in
                defer { place = found }
                return place != found
            }
            isAsking.store(false, ordering: .releasing)
            // At the next look it would be half a second old.
            if isNew { changed.yield(found) }
        }
        if !hasBegun { isAsking.store(false, ordering: .releasing) }
    }
}
