/// The disk is never filled: what is estimated is kept free for what runs. Where that was wrong, all that runs is held but the first, so
/// that this ends and the next has space; where it does not suffice for the first either, the last is given up and begun again later. What runs
/// alone is held until somebody makes space.
extension BatchQueue {
    /// Bytes that are left free where nobody says how many: on small disks a hundredth.
    ///
    /// - Parameter disk: bytes that the disk holds; `nil` where nobody knows.
    static func reserve(on disk: Int64?) -> Int64 { min(64 << 20, (disk ?? .max) / 100) }

    /// What goes on while the disk is nearly full.
    var favorite: Int? {
        let able = running.filter { !items[$0].isPaused && !items[$0].isEvicted && !items[$0].isCancelled }
        return running.count > 1 ? able.first : nil
    }

    /// What is to be given up now, so that the favorite can go on: one at a time, as its space comes with its end.
    var victim: Int? {
        guard isShort, !isPaused, !isStopping, let free, free < reserve / 4, let favorite else { return nil }
        guard !running.contains(where: { items[$0].isEvicted || items[$0].isCancelled }) else { return nil }
        return running.last { $0 != favorite }
    }

    /// Whether an item that was cancelled is to be begun again.
    func isEvicted(_ item: Int) -> Bool { items[item].isEvicted && !items[item].isCancelled && !isStopping }

    /// Bytes that what runs will still write, as far as anybody knows.
    private var promised: Int64 {
        running.reduce(0) { $0 + max(0, items[$1].estimate - items[$1].written) }
    }

    func hasSpace(for item: Int) -> Bool {
        guard let free else { return true }
        return free - promised >= items[item].estimate + reserve
    }

    /// Half of the reserve may be used up before work is held, so that a disk which is just full does not have it stop and
    /// go with each file that comes and goes.
    mutating func note(free bytes: Int64?) {
        free = bytes
        guard let bytes else { return isShort = false }
        isShort = isShort ? bytes < reserve : bytes < reserve / 2
    }

    /// What has been written since the disk was looked at last is no longer free.
    mutating func note(written bytes: Int64, _ fraction: Double?, by item: Int) {
        guard items.indices.contains(item), items[item].status == .running else { return }
        items[item].fraction = max(items[item].fraction, fraction ?? 0)
        let more = max(0, bytes - items[item].written)
        items[item].written += more
        free = free.map { max(0, $0 - more) }
    }

    /// Whether the disk has more free, now that what an item wrote is gone, than that: it was not the disk that was full when there was no
    /// space, but a quota, or what else the system does not tell.
    func hadSpace(_ item: Int) -> Bool {
        // What an item wrote last was not told of yet.
        free.map { $0 - items[item].written >= max(reserve, $0 / 8) } ?? false
    }

    /// Whether it is no use to begin an item again that has found no space just now. Once it may be that somebody has made space since.
    func isFutile(_ item: Int) -> Bool {
        items[item].isDoubted && !items[item].ranBesideOthers && hadSpace(item)
    }

    /// The disk was full before the item was complete, so its estimate was wrong, or that of what ran beside it.
    mutating func wait(_ item: Int) {
        let (written, fraction) = (items[item].written, items[item].fraction)
        // By as much as was done of it, with a tenth for what cannot be known.
        let whole = fraction > 0.05 ? Int64(Double(written) / fraction * 1.1) : written * 2
        set(item, .waiting)
        if items[item].ranBesideOthers { items[item].runsAlone = true }
        items[item].estimate = max(items[item].estimate, whole, reserve)
        isShort = true
    }

    /// What the disk has too little space for.
    enum Shortage: Sendable, Hashable {
        /// What runs: so many bytes are missing.
        case reserve(missing: Int64)
        /// The next item, with what is left free: so many bytes, of which so many are free.
        case next(needed: Int64, free: Int64)
    }

    /// `nil` while nothing waits for space.
    var shortage: Shortage? {
        guard let free, !isStopping, !isPaused else { return nil }
        if isShort, favorite == nil, !running.isEmpty || free < reserve {
            return .reserve(missing: max(1, reserve - free))
        }
        guard running.isEmpty, let item = waiting.first(where: { !items[$0].isPaused }) else {
            return nil
        }
        return hasSpace(for: item) ? nil : .next(needed: items[item].estimate + reserve, free: free)
    }
}
