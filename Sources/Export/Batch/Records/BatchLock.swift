import Foundation
import SystemPackage

/// Who may work on a batch's folder, and on each item: byte ranges of one file, which the kernel opens when their holder
/// dies ("open file description locks", fcntl(2)). They hold between the machines of a network file system too.
final class BatchLock: Sendable {
    enum Kind {
        /// Single steps work beside each other.
        case shared
        case exclusive
    }

    /// The first byte: the whole batch.
    static let whole: UInt64 = 0
    /// One for each item, beyond it.
    static func place(of item: BatchItem) -> UInt64 { 1 + item.key >> 2 }

    private let file: FileDescriptor

    /// - Parameter file: the lock's; it is closed with this.
    init(_ file: FileDescriptor) { self.file = file }

    deinit { try? file.close() }

    /// False where another holds it.
    func take(_ place: UInt64, _ kind: Kind = .exclusive) throws(Errno) -> Bool {
        guard !set(place, kind == .shared ? F_RDLCK : F_WRLCK) else { return true }
        let reason = Errno(rawValue: errno)
        guard reason == .resourceTemporarilyUnavailable || reason == .permissionDenied else { throw reason }
        return false
    }

    func release(_ place: UInt64) { _ = set(place, F_UNLCK) }

    private func set(_ place: UInt64, _ type: Int32) -> Bool {
        var range = flock()
        range.l_type = Int16(type)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = off_t(clamping: place)
        range.l_len = 1
        return fcntl(file.rawValue, Self.setOwnLock, &range) == 0
    }

    /// `F_OFD_SETLK` of `fcntl.h`, which Swift's Glibc module leaves out.
    private static let setOwnLock: Int32 = 37
}
