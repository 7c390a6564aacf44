import CFileSpace
import FileSystem
import Foundation
import SystemPackage

/// A file that is written at given places, so that tests can let any single step fail.
protocol RandomAccessFile {
    /// Writes all bytes at `offset`; `written` tells how many, also when it throws.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64, written: inout Int) throws(MovieFileError)
    /// Reads up to `count` bytes at `offset`; none where the file cannot be read.
    func read(upTo count: Int, at offset: UInt64) -> [UInt8]
    /// Returns when everything written so far is on the disk.
    func synchronize() throws(MovieFileError)
    func truncate(to size: UInt64) throws(MovieFileError)
    /// Whether to write over what is there takes no new blocks.
    var overwritesInPlace: Bool { get }
}

extension RandomAccessFile {
    var overwritesInPlace: Bool { true }

    /// Whether the disk takes nothing at all, not even over what is there, as where a quota is used up for good: then nothing is gained by a
    /// shorter file. False where that is not known.
    ///
    /// - Parameter end: where the file ends.
    func takesNothing(before end: UInt64) -> Bool {
        guard end > 0, overwritesInPlace else { return false }
        let last = read(upTo: 1, at: end - 1)
        guard !last.isEmpty else { return false }
        do { try write(last, at: end - 1) } catch { return true }
        return false
    }

    func write(_ bytes: [UInt8], at offset: UInt64) throws(MovieFileError) {
        var written = 0
        try bytes.withBytes { (buffer) throws(MovieFileError) in
            try write(buffer, at: offset, written: &written)
        }
    }
}

extension [UInt8] {
    /// `withUnsafeBytes` for a body that throws an error of this module: the standard library's forgets its type.
    func withBytes<Value>(
        _ body: (UnsafeRawBufferPointer) throws(MovieFileError) -> Value
    ) throws(MovieFileError) -> Value {
        let result: Result<Value, MovieFileError> = withUnsafeBytes { buffer in
            do throws(MovieFileError) { return .success(try body(buffer)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}

/// A file behind a descriptor, which stays its owner's.
struct DescriptorFile: RandomAccessFile {
    let descriptor: FileDescriptor
    /// Where it may not be of any size.
    var share: SizeLimit.Share?

    var overwritesInPlace: Bool { rushes_copies_on_write(descriptor.rawValue) == 0 }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64, written: inout Int) throws(MovieFileError) {
        try share?.grow(to: offset + UInt64(bytes.count))
        while written < bytes.count {
            do {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                written += try descriptor.write(
                    toAbsoluteOffset: Int64(clamping: offset + UInt64(written)), rest, retryOnInterrupt: true)
            } catch {
                throw MovieFileError(error as? Errno ?? .ioError, operation: "writing the movie")
            }
        }
    }

    func read(upTo count: Int, at offset: UInt64) -> [UInt8] {
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let number = try? descriptor.read(
                fromAbsoluteOffset: Int64(clamping: offset), into: UnsafeMutableRawBufferPointer(buffer))
            initialized = number ?? 0
        }
    }

    func synchronize() throws(MovieFileError) {
        do throws(Errno) { try descriptor.synchronize() } catch {
            throw MovieFileError(error, operation: "flushing the movie to the disk")
        }
    }

    func truncate(to size: UInt64) throws(MovieFileError) {
        while ftruncate(descriptor.rawValue, off_t(clamping: size)) != 0 {
            guard errno == EINTR else {
                throw MovieFileError(Errno(rawValue: errno), operation: "shortening the movie")
            }
        }
        share?.cut(to: size)
    }
}

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
