import Foundation
package import SystemPackage

/// A file that no folder names, so that nothing is left of it however this process ends; it never gets a name.
package final class UnnamedFile: Sendable {
    /// Open for reading and writing as long as this object lives.
    package let descriptor: FileDescriptor

    /// - Throws: why the folder takes no file.
    package init(in folder: FilePath) throws(Errno) {
        let name = folder.appending(".\(UUID().uuidString).rushes")
        do {
            descriptor = try FileDescriptor.open(
                name, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
        } catch { throw error as? Errno ?? .ioError }
        // All file systems know this, other than O_TMPFILE; what is open stays until it is closed.
        name.removeFile()
    }

    deinit { try? descriptor.close() }

    /// A path by which other programs of this user open it too, as long as this object lives.
    package var path: FilePath { FilePath("/proc/\(getpid())/fd/\(descriptor.rawValue)") }
}
