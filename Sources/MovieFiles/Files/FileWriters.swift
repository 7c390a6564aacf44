package import SystemPackage

/// Programs that have a file open for writing.
package enum FileWriters {
    /// Whether there is one now, as the kernel knows by its leases (`F_SETLEASE` in fcntl(2)). Blocks for no longer than
    /// opening the file does.
    ///
    /// - Returns: `nil` where nobody can tell: on file systems without leases, and where the file is another user's.
    package static func isWritten(_ path: FilePath) -> Bool? { FileLock.hasWriter(path, attempts: 1) }

    /// The same, asked again for a tenth of a second: a program that a writer has just started holds its files for a moment.
    package static func isStillWritten(_ path: FilePath) -> Bool? {
        FileLock.hasWriter(path, attempts: FileLock.attempts)
    }
}
