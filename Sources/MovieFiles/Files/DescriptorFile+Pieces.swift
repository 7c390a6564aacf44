import Foundation
import SystemPackage

extension DescriptorFile {
    /// How many pieces the kernel takes in one call (`IOV_MAX`).
    private static let maximumPieces = 1024

    /// Writes pieces one behind the other.
    func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws(MovieFileError) {
        var vectors = pieces.filter { $0.count > 0 }.map {
            iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
        }
        var (next, position) = (0, offset)
        while next < vectors.count {
            let count = min(Self.maximumPieces, vectors.count - next)
            let written = vectors[next...].withUnsafeBufferPointer {
                pwritev(descriptor.rawValue, $0.baseAddress, Int32(count), off_t(clamping: position))
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                throw MovieFileError(
                    written < 0 ? Errno(rawValue: errno) : .ioError, operation: "writing the movie")
            }
            position += UInt64(written)
            var left = written
            while next < vectors.count, left >= vectors[next].iov_len {
                left -= vectors[next].iov_len
                next += 1
            }
            guard left > 0 else { continue }
            vectors[next].iov_base = vectors[next].iov_base.map { $0 + left }
            vectors[next].iov_len -= left
        }
    }
}
