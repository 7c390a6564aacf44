import Foundation
import SystemPackage

/// Copies between files without reading them: shared where the file system can do that, else within the kernel.
enum FileCopy {
    /// Copies a range of one file to a place in another.
    ///
    /// - Parameter progress: Told after every piece how much of the range is copied, in bytes; what it throws ends the copy.
    static func copy(
        _ range: Range<UInt64>, of source: FileDescriptor, to offset: UInt64, of target: FileDescriptor,
        progress: (UInt64) throws(MovieFileError) -> Void = { _ in }
    ) throws(MovieFileError) {
        let start = range.lowerBound
        let head = min(UInt64(range.count), (blockSize - start % blockSize) % blockSize)
        try copyBytes(start..<start + head, of: source, to: offset, of: target) { _ in }
        let shared = head + share(start + head..<range.upperBound, of: source, to: offset + head, of: target)
        try copyBytes(
            start + shared..<range.upperBound, of: source, to: offset + shared, of: target
        ) { (count) throws(MovieFileError) in
            try progress(shared + count)
        }
    }

    /// In bytes: little enough that progress is told several times a second on a slow disk.
    private static let pieceSize: off_t = 8 << 20

    private static func copyBytes(
        _ range: Range<UInt64>, of source: FileDescriptor, to offset: UInt64, of target: FileDescriptor,
        progress: (UInt64) throws(MovieFileError) -> Void
    ) throws(MovieFileError) {
        var from = off_t(clamping: range.lowerBound)
        let end = off_t(clamping: range.upperBound)
        guard from < end else { return }
        guard lseek(target.rawValue, off_t(clamping: offset), SEEK_SET) >= 0 else {
            throw MovieFileError(Errno(rawValue: errno), operation: "copying the movie")
        }
        while from < end {
            let count = sendfile(target.rawValue, source.rawValue, &from, Int(min(end - from, pieceSize)))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw MovieFileError(Errno(rawValue: errno), operation: "copying the movie") }
            guard count > 0 else { throw .system(operation: "copying the movie, which became shorter,", .ioError) }
            try progress(UInt64(from) - range.lowerBound)
        }
    }

    /// `struct file_clone_range` of `linux/fs.h`.
    private struct CloneRange {
        var sourceDescriptor: Int64
        var sourceOffset: UInt64
        var length: UInt64
        var targetOffset: UInt64
    }

    /// `FICLONERANGE`: both files then share the blocks until one of them changes.
    private static let shareRequest: UInt = 0x4020_940D
    /// Only whole blocks can be shared. Some file systems have larger ones, and then everything is copied.
    private static let blockSize: UInt64 = 4096

    /// Shares as much of a range that begins with a block as can be, and says how many bytes that was.
    private static func share(
        _ range: Range<UInt64>, of source: FileDescriptor, to offset: UInt64, of target: FileDescriptor
    ) -> UInt64 {
        let length = UInt64(range.count) / blockSize * blockSize
        guard length > 0, offset % blockSize == 0 else { return 0 }
        var request = CloneRange(
            sourceDescriptor: Int64(source.rawValue), sourceOffset: range.lowerBound, length: length,
            targetOffset: offset)
        return withUnsafeMutablePointer(to: &request) { ioctl(target.rawValue, shareRequest, $0) } == 0 ? length : 0
    }
}
