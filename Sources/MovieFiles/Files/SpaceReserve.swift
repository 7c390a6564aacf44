import CFileSpace
import SystemPackage

/// Room on the disk that a file keeps for its index, where a full disk would leave none.
///
/// btrfs needs new blocks to overwrite old ones, and gives nothing of an extent back as long as a part of it is in use: of a
/// file that is cut shorter nothing may be free. There the room lies far behind the file's end, allocated and never written, so
/// no size shows it; a hole in its place gives it back. Other file systems need none, or would fill all that lies before it.
struct SpaceReserve {
    private let descriptor: FileDescriptor
    /// In bytes.
    private(set) var kept: UInt64 = 0

    /// Farther than any movie gets, and nearer than the largest file of ext4, in bytes.
    static let place: UInt64 = 1 << 40
    /// The index of twenty minutes, in bytes.
    private static let smallest: UInt64 = 1 << 20

    /// Keeps as much as there is now; none where the file system needs none or has none.
    init(_ descriptor: FileDescriptor) {
        self.descriptor = descriptor
        if rushes_overwriting_needs_room(descriptor.rawValue) != 0 { grow(to: Self.smallest) }
    }

    /// Keeps room for an index of that size, if any was kept until now.
    mutating func keep(_ size: UInt64) {
        guard kept > 0, size > kept else { return }
        grow(to: (size / Self.smallest + 1) * Self.smallest)
    }

    private mutating func grow(to size: UInt64) {
        let result = fallocate(
            descriptor.rawValue, FALLOC_FL_KEEP_SIZE, off_t(Self.place + kept), off_t(size - kept))
        if result == 0 { kept = size }
    }

    /// Gives the room back; false where there was none.
    mutating func release() -> Bool {
        guard kept > 0 else { return false }
        kept = 0
        return Self.release(descriptor)
    }

    /// Gives back what a recorder that was killed has kept.
    @discardableResult
    static func release(_ descriptor: FileDescriptor) -> Bool {
        guard rushes_overwriting_needs_room(descriptor.rawValue) != 0 else { return false }
        return fallocate(
            descriptor.rawValue, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, off_t(place), off_t(place)) == 0
    }
}
