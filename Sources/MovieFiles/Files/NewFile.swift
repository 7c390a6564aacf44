import FileSystem
import SystemPackage

/// A file that appears under its name once it is complete: see ``UnfinishedFile``.
enum NewFile {
    /// Writes a file.
    ///
    /// - Throws: `system` with `fileExists` where the name is taken and may not be replaced. Nothing is left then, nor
    ///   where `body` throws.
    static func write(
        _ path: FilePath, replacing: Bool, _ body: (FileDescriptor) throws(MovieFileError) -> Void
    ) throws(MovieFileError) {
        let operation = "creating \(path.wireText)"
        if !replacing, path.isThere { throw MovieFileError(.fileExists, operation: operation) }
        let file: UnfinishedFile
        do { file = try UnfinishedFile(in: path.removingLastComponent()) } catch {
            throw MovieFileError(error, operation: operation)
        }
        try file.withDescriptor { (descriptor) throws(MovieFileError) in
            try body(descriptor)
            try DescriptorFile(descriptor: descriptor).synchronize()
        }
        do { try file.commit(to: path, replacing: replacing) } catch {
            throw MovieFileError(error, operation: operation)
        }
    }
}
