/// The disk is never filled: what is estimated is kept free for what runs, and where that was wrong, work is held until
/// somebody makes room.
extension BatchQueue {
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
    mutating func note(written bytes: Int64, by item: Int) {
        guard items.indices.contains(item), items[item].status == .running else { return }
        let more = max(0, bytes - items[item].written)
        items[item].written += more
        free = free.map { max(0, $0 - more) }
    }

    /// Whether the disk has more free, now that what an item wrote is gone, than that: it was not the disk that was full when there was no
    /// space, but a quota, or what else the system does not tell.
    func hadSpace(_ item: Int) -> Bool { free.map { $0 - items[item].written >= reserve } ?? false }

    /// Whether it is no use to begin an item again that has found no space just now. Once it may be that somebody has made space since.
    func isFutile(_ item: Int) -> Bool { items[item].isDoubted && hadSpace(item) }

    /// The disk was full before the item was complete, so its estimate was wrong.
    mutating func wait(_ item: Int) {
        items[item].status = .waiting
        items[item].estimate = max(items[item].estimate, items[item].written * 2, reserve)
        isShort = true
    }

    /// The bytes that are missing for the next item, or `nil` while nothing waits for room.
    var missingSpace: Int64? {
        guard let free, !isStopping, !isPaused else { return nil }
        if isShort { return max(1, reserve - free) }
        guard running.isEmpty, let item = items.firstIndex(where: { $0.status == .waiting && !$0.isPaused }) else {
            return nil
        }
        return hasSpace(for: item) ? nil : items[item].estimate + reserve - free
    }
}
