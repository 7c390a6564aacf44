import FileSystem
import SystemPackage

/// What keeps a movie from being edited while it is recorded.
extension FileLock {
    /// Locks a file as far as its file system can do that.
    ///
    /// - Throws: `unsupported` where another program has locked it.
    func acquire(_ descriptor: FileDescriptor) throws(MovieFileError) {
        if ask(descriptor) == .isHeld { throw Self.isWritten }
    }

    /// Finds out whether another program has the file open for writing, one that knows nothing of our locks. Where nobody can
    /// tell, the file counts as free.
    ///
    /// - Throws: `unsupported` where somebody writes the file.
    static func expectNoWriter(_ path: FilePath) throws(MovieFileError) {
        if FileWriters.isStillWritten(path) == true { throw isWritten }
    }

    private static var isWritten: MovieFileError {
        .unsupported(reason: "another program has it open for writing; wait until it has finished")
    }
}
