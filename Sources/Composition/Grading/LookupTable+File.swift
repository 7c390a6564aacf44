package import Errors
package import Imaging
package import SystemPackage

extension LookupTable {
    /// What a table of the largest size has at most, with digits to spare.
    private static let limit = 1 << 30

    /// Reads a `.cube` file. Blocks.
    ///
    /// - Throws: ``RushesError`` where it cannot be read, or is no such file, with the line that is wrong.
    package init(file path: FilePath) throws(RushesError) {
        let name = String(decoding: path)
        let bytes: [UInt8]
        do {
            bytes = try Self.bytes(of: path)
        } catch {
            throw RushesError(
                .invalidSettings, on: path.string, "\(name) cannot be read (\(error)); name a .cube file.")
        }
        do {
            try self.init(cube: bytes)
        } catch {
            throw RushesError(
                .invalidSettings, on: path.string, "\(name) is not a look-up table that can be used: \(error).")
        }
    }

    private static func bytes(of path: FilePath) throws -> [UInt8] {
        // Without blocking: opening a FIFO would wait for its writer.
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        return try file.closeAfter {
            var bytes: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 1 << 18)
            while case let count = try part.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
                bytes += part[..<count]
                if bytes.count > limit { throw Errno.fileTooLarge }
            }
            return bytes
        }
    }
}
