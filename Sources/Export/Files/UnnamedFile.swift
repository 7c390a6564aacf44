import Foundation
import SystemPackage

/// A file that no folder names, so that nothing is left of it however this process ends.
final class UnnamedFile: Sendable {
    let descriptor: FileDescriptor

    /// - Throws: ``ExportError`` if the folder takes no file.
    init(in folder: FilePath) throws(ExportError) {
        let name = folder.appending(".\(UUID().uuidString).rushes")
        do {
            descriptor = try FileDescriptor.open(
                name, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
        } catch {
            throw ExportError(.encoderFailed, "\(folder.displayName) takes no temporary file: \(error).")
        }
        // All file systems know this, other than O_TMPFILE; what is open stays until it is closed.
        _ = name.withPlatformString { unlink($0) }
    }

    deinit { try? descriptor.close() }

    /// A path by which other programs of this user open it too, as long as this object lives.
    var path: FilePath { FilePath("/proc/\(getpid())/fd/\(descriptor.rawValue)") }
}
