import FileSystem

/// Who may work on a batch's folder, and on each item. Single steps, which share the first byte, work beside each other.
typealias BatchLock = FileRangeLock

extension BatchLock {
    /// The first byte: the whole batch.
    static let whole: UInt64 = 0
    /// One for each item, beyond it.
    static func place(of item: BatchItem) -> UInt64 { 1 + item.key >> 2 }
}
