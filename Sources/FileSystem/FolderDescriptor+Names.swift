import Foundation
package import SystemPackage

extension FolderDescriptor {
    /// The names in a folder, byte for byte and in the file system's order: Foundation's own listing leaves out those that
    /// are not UTF-8.
    ///
    /// - Throws: why it cannot be read.
    package static func names(in folder: FilePath) throws(Errno) -> [FilePath.Component] {
        guard let stream = folder.withPlatformString({ opendir($0) }) else { throw Errno(rawValue: errno) }
        return names(takenFrom: stream)
    }

    /// Of what is in it, in the file system's order; none where the folder cannot be read.
    package var names: [FilePath.Component] {
        // A listing moves its descriptor's place, so it gets one of its own.
        let number = openat(descriptor.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard number >= 0 else { return [] }
        guard let stream = fdopendir(number) else {
            close(number)
            return []
        }
        return Self.names(takenFrom: stream)
    }

    /// - Parameter stream: it is closed.
    private static func names(takenFrom stream: OpaquePointer) -> [FilePath.Component] {
        defer { closedir(stream) }
        var names: [FilePath.Component] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    FilePath.Component(platformString: $0)
                }
            }
            if let name, name.kind == .regular { names.append(name) }
        }
        return names
    }
}
