import Errors
import FileSystem
import SystemPackage

/// Who may work on a batch's folder: a whole batch alone, or single steps, which share it, beside each other. What keeps two
/// from one item is a ``BatchClaim``.
typealias BatchLock = FileRangeLock

extension BatchLock {
    /// The first byte: the whole batch.
    static let whole: UInt64 = 0

    /// Takes the folder, alone or beside others. File systems without locks (Lustre, as it is mounted as a rule) give it to
    /// everybody: there claims alone keep two from one item.
    ///
    /// - Returns: false where another holds it.
    func takeFolder(_ lock: FileLock) throws(Errno) -> Bool {
        do throws(Errno) { return try lock == .shared ? take(Self.whole, .shared) : takeSoon(Self.whole) } catch {
            guard Self.refusals.contains(error) else { throw error }
            return true
        }
    }

    /// What file systems say that have no locks, or whose server of locks is away.
    private static let refusals: [Errno] = [.noFunction, .notSupported, .noLocks]
}
