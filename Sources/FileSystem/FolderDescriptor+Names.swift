import Foundation
package import SystemPackage

extension FolderDescriptor {
    /// The names in a folder, byte for byte and in the file system's order: Foundation's own listing leaves out those that
    /// are not UTF-8.
    ///
    /// - Throws: why it cannot be read.
    package static func names(in folder: FilePath) throws(Errno) -> [FilePath.Component] {
        try entries(of: folder) { FilePath.Component(platformString: $0) }.filter { $0.kind == .regular }
    }

    /// The same as texts, for folders whose names are our own: quicker, as no path is made of each.
    ///
    /// - Throws: why it cannot be read.
    package static func texts(in folder: FilePath) throws(Errno) -> [String] {
        try entries(of: folder) { String(validatingCString: $0) }
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
        return Self.entries(takenFrom: stream) { FilePath.Component(platformString: $0) }.filter { $0.kind == .regular }
    }

    private static func entries<Name>(
        of folder: FilePath, _ body: (UnsafePointer<CChar>) -> Name?
    ) throws(Errno) -> [Name] {
        guard let stream = folder.withPlatformString({ opendir($0) }) else { throw Errno(rawValue: errno) }
        return entries(takenFrom: stream, body)
    }

    /// - Parameter stream: it is closed.
    private static func entries<Name>(
        takenFrom stream: OpaquePointer, _ body: (UnsafePointer<CChar>) -> Name?
    ) -> [Name] {
        defer { closedir(stream) }
        var names: [Name] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { body($0) }
            }
            if let name { names.append(name) }
        }
        return names
    }
}
