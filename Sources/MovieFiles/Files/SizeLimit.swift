import Synchronization

/// How many bytes the files of one recording may have together. A file that wants more is refused it as by a disk that is full, and is
/// completed with what it has.
package final class SizeLimit: Sendable {
    package let bytes: Int64
    /// What the files have, and what is kept for their indexes.
    private let used = Atomic<Int64>(0)
    private let isRefused = Atomic(false)

    package init(_ bytes: Int64) { self.bytes = bytes }

    /// Whether a file wanted more than there was.
    package var isReached: Bool { isRefused.load(ordering: .relaxed) }

    /// A file with so many bytes was deleted.
    package func giveBack(_ bytes: Int64) { used.subtract(bytes, ordering: .relaxed) }

    /// False where there is not so much any more; then nothing is taken.
    fileprivate func take(_ count: Int64) -> Bool {
        let (_, now) = used.add(count, ordering: .relaxed)
        guard count > 0, now > bytes else { return true }
        used.subtract(count, ordering: .relaxed)
        return false
    }

    fileprivate func refuse() { isRefused.store(true, ordering: .relaxed) }

    /// What one file has of it. Used from one thread at a time, as its file is.
    final class Share {
        private let limit: SizeLimit
        private var size: Int64 = 0
        private var room: Int64 = 0

        init(_ limit: SizeLimit) { self.limit = limit }

        /// The file is to end there at least.
        ///
        /// - Throws: `sizeReached` where all files would be too large.
        func grow(to end: UInt64) throws(MovieFileError) {
            let end = Int64(clamping: end)
            guard end > size else { return }
            guard limit.take(end - size) else {
                limit.refuse()
                throw .sizeReached
            }
            size = end
        }

        /// The file ends there now.
        func cut(to end: UInt64) {
            let end = Int64(clamping: end)
            guard end < size else { return }
            _ = limit.take(end - size)
            size = end
        }

        /// Keeps room for an index of that size, or as much as there is.
        func keep(_ wanted: UInt64) {
            let more = Int64(clamping: wanted) - room
            if limit.take(more) { room += more }
        }
    }
}
