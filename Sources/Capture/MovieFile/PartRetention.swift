/// Which files of a recording go, the oldest first, so that all together stay within a size. Pure.
///
/// The one that is being written counts once it is complete, so they exceed the size by no more than that one. The newest that is complete
/// stays, however large: a crash costs the one behind it.
struct PartRetention: Sendable {
    private struct Part: Sendable {
        let index: Int
        let bytes: Int64
        let isPinned: Bool
    }

    /// Bytes of all complete files.
    let limit: Int64
    private var kept: [Part] = []

    init(limit: Int64) { self.limit = limit }

    /// Takes a complete file. Returns the indices of those that go, and whether what has to stay is too much by itself.
    ///
    /// - Parameter isPinned: whether it stays whatever it takes.
    mutating func add(_ index: Int, bytes: Int64, isPinned: Bool = false) -> (excess: [Int], isExceeded: Bool) {
        kept.append(Part(index: index, bytes: bytes, isPinned: isPinned))
        var total = kept.reduce(0) { $0 + $1.bytes }
        var excess: [Int] = []
        for part in kept.dropLast() where total > limit && !part.isPinned {
            excess.append(part.index)
            total -= part.bytes
        }
        kept.removeAll { excess.contains($0.index) }
        return (excess, total > limit)
    }
}
