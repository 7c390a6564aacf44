import Foundation
import SystemPackage

/// A file that appears under its name once it is complete.
enum NewFile {
    /// Writes a file through a hidden one beside it.
    ///
    /// - Throws: `system` with `fileExists` where the name is taken and may not be replaced. Nothing is left then, nor
    ///   where `body` throws.
    static func write(
        _ path: FilePath, replacing: Bool, _ body: (FileDescriptor) throws(MovieFileError) -> Void
    ) throws(MovieFileError) {
        let operation = "creating \(path.displayString)"
        if !replacing, access(path, F_OK) == 0 { throw MovieFileError(.fileExists, operation: operation) }
        let hidden = path.removingLastComponent().appending(".\(UUID().uuidString).partial")
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(
                hidden, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch {
            throw MovieFileError(error as? Errno ?? .ioError, operation: operation)
        }
        do throws(MovieFileError) {
            defer { try? descriptor.close() }
            try body(descriptor)
            try DescriptorFile(descriptor: descriptor).synchronize()
            try move(hidden, to: path, replacing: replacing, operation)
        } catch {
            _ = hidden.withPlatformString { unlink($0) }
            throw error
        }
    }

    private static func access(_ path: FilePath, _ mode: Int32) -> Int32 {
        path.withPlatformString { Foundation.access($0, mode) }
    }

    private static func move(
        _ source: FilePath, to target: FilePath, replacing: Bool, _ operation: String
    ) throws(MovieFileError) {
        let result = source.withPlatformString { source in
            target.withPlatformString { target in
                if replacing { return rename(source, target) }
                // A link refuses a name that somebody took meanwhile, which a rename would not.
                if link(source, target) == 0 { return unlink(source) }
                // Some file systems know no links; what is left is the look that was taken before.
                return errno == EEXIST ? -1 : rename(source, target)
            }
        }
        guard result == 0 else { throw MovieFileError(Errno(rawValue: errno), operation: operation) }
    }
}
