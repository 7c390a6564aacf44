package import SystemPackage

/// The last bytes that were written to a file, by which whoever writes it sees whether it is still theirs: a shell's ">", a
/// copy or a program that saves under the same name cuts it off and writes something else, under the same open descriptor.
package struct EndMark: Sendable {
    private let place: Int64
    private let bytes: [UInt8]

    /// Enough to tell encoded bytes from any others.
    private static let length: UInt64 = 32

    /// - Parameters:
    ///   - file: open for reading too.
    ///   - end: where what was written ends.
    /// - Returns: `nil` for an empty file, and one that cannot be read.
    package init?(_ file: FileDescriptor, end: UInt64) {
        let count = min(end, Self.length)
        place = Int64(clamping: end - count)
        guard count > 0, let bytes = Self.read(file, at: place, Int(count)), bytes.count == count else { return nil }
        self.bytes = bytes
    }

    /// Whether they are where they were written. What cannot be read is not doubted: whoever writes next hears why.
    package func isThere(in file: FileDescriptor) -> Bool {
        Self.read(file, at: place, bytes.count).map { $0 == bytes } ?? true
    }

    private static func read(_ file: FileDescriptor, at place: Int64, _ count: Int) -> [UInt8]? {
        var isRead = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let result = try? file.read(
                fromAbsoluteOffset: place, into: UnsafeMutableRawBufferPointer(buffer), retryOnInterrupt: true)
            (isRead, filled) = (result != nil, result ?? 0)
        }
        return isRead ? bytes : nil
    }
}
