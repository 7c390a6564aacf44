import Foundation
import SystemPackage

/// A file that appears under its name once it is complete.
///
/// Until then it has no name (`O_TMPFILE`), so that nothing is left of it when the process is killed. File systems that
/// know no such files get a hidden one beside it.
enum NewFile {
    /// Writes a file.
    ///
    /// - Throws: `system` with `fileExists` where the name is taken and may not be replaced. Nothing is left then, nor
    ///   where `body` throws.
    static func write(
        _ path: FilePath, replacing: Bool, _ body: (FileDescriptor) throws(MovieFileError) -> Void
    ) throws(MovieFileError) {
        let operation = "creating \(path.wireText)"
        if !replacing, exists(path) { throw MovieFileError(.fileExists, operation: operation) }
        let folder = path.removingLastComponent()
        let hidden = folder.appending(".\(UUID().uuidString).partial")
        var isNamed = false
        do throws(MovieFileError) {
            let descriptor = try create(in: folder, orAs: hidden, isNamed: &isNamed, operation)
            defer { try? descriptor.close() }
            try body(descriptor)
            try DescriptorFile(descriptor: descriptor).synchronize()
            if !isNamed {
                // Only a name can take another one's place.
                let name = replacing ? hidden : path
                try expect(link(descriptor, to: name), operation)
                isNamed = replacing
            }
            guard isNamed else { return }
            do { try hidden.moveFile(to: path, replacing: replacing) } catch {
                throw MovieFileError(error, operation: operation)
            }
        } catch {
            if isNamed { hidden.removeFile() }
            throw error
        }
    }

    private static func exists(_ path: FilePath) -> Bool {
        path.withPlatformString { access($0, F_OK) } == 0
    }

    private static func create(
        in folder: FilePath, orAs hidden: FilePath, isNamed: inout Bool, _ operation: String
    ) throws(MovieFileError) -> FileDescriptor {
        let place = folder.isEmpty ? "." : folder
        if access(descriptors, X_OK) == 0 {
            let unnamed = place.withPlatformString { open($0, unnamedFile | O_RDWR | O_CLOEXEC, 0o644) }
            if unnamed >= 0 { return FileDescriptor(rawValue: unnamed) }
        }
        do {
            let descriptor = try FileDescriptor.open(
                hidden, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            isNamed = true
            return descriptor
        } catch {
            throw MovieFileError(error as? Errno ?? .ioError, operation: operation)
        }
    }

    /// `O_TMPFILE`, a macro that Swift does not import: its own bit together with `O_DIRECTORY`.
    private static let unnamedFile: CInt = 0o20_000_000 | O_DIRECTORY

    /// Through which an unnamed file gets its name; not there where `/proc` is not mounted.
    private static let descriptors = "/proc/self/fd"

    private static func link(_ descriptor: FileDescriptor, to path: FilePath) -> Int32 {
        path.withPlatformString {
            linkat(AT_FDCWD, "\(descriptors)/\(descriptor.rawValue)", AT_FDCWD, $0, AT_SYMLINK_FOLLOW)
        }
    }

    private static func expect(_ result: Int32, _ operation: String) throws(MovieFileError) {
        guard result == 0 else { throw MovieFileError(Errno(rawValue: errno), operation: operation) }
    }
}
