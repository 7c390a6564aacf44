/// Which files of a recording go, the oldest first, so that all together stay within a size. Pure.
///
/// The one that is being written counts once it is complete, so they exceed the size by no more than that one. The newest that is complete
/// stays, however large: a crash costs the one behind it.
struct PartRetention: Sendable {
    private struct Part: Sendable {
        let index: Int
        let bytes: Int64
    }

    /// Bytes of all complete files.
    let limit: Int64
    private var kept: [Part] = []
    private var pinned: Set<Int> = []

    init(limit: Int64) { self.limit = limit }

    /// Keeps files whatever they take: from the one that is completed next to the last one that was opened.
    mutating func pin(_ indices: ClosedRange<Int>) { pinned.formUnion(indices) }

    /// Takes a complete file. Returns the indices of those that go, and whether what has to stay is too much by itself.
    mutating func add(_ index: Int, bytes: Int64) -> (excess: [Int], isExceeded: Bool) {
        kept.append(Part(index: index, bytes: bytes))
        var total = kept.reduce(0) { $0 + $1.bytes }
        var excess: [Int] = []
        for part in kept.dropLast() where total > limit && !pinned.contains(part.index) {
            excess.append(part.index)
            total -= part.bytes
        }
        kept.removeAll { excess.contains($0.index) }
        return (excess, total > limit)
    }
}
