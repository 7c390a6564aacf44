import Foundation
package import SystemPackage

/// Names of files, which change in one step: whoever looks finds the old file there, or the new one.
extension FilePath {
    /// Gives the file another name in the same file system.
    ///
    /// - Parameter replacing: whether a file that has the name already goes for it.
    /// - Throws: `fileExists` where the name is taken and may not be replaced; why the disk refuses. The file then keeps its
    ///   name.
    package func moveFile(to target: FilePath, replacing: Bool) throws(Errno) {
        let result = withPlatformString { source in
            target.withPlatformString { target -> Int32 in
                if replacing { return rename(source, target) }
                // A link refuses a name that somebody took meanwhile, which a rename would not.
                if link(source, target) == 0 { return unlink(source) }
                if errno == EEXIST { return -1 }
                // Some file systems know no links; what is left is a look.
                guard access(target, F_OK) != 0 else {
                    errno = EEXIST
                    return -1
                }
                return rename(source, target)
            }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }

    /// Makes the folder, and those around it that are missing.
    ///
    /// - Throws: `Errno`, `fileExists` where something else has the name.
    package func makeFolders() throws(Errno) {
        if make() { return }
        if errno == ENOENT, lastComponent != nil {
            try removingLastComponent().makeFolders()
            if make() { return }
        }
        let reason = Errno(rawValue: errno)
        guard reason == .fileExists, FileStatus(self)?.isFolder == true else { throw reason }
    }

    private func make() -> Bool { withPlatformString { mkdir($0, 0o777) } == 0 }

    /// Whether something has the name.
    package var isThere: Bool { withPlatformString { access($0, F_OK) } == 0 }

    /// The file of that name in this folder, whatever bytes the name has; none of them is zero.
    package func appending(fileBytes: [UInt8]) -> FilePath {
        pushing(FilePath(platformString: fileBytes.map { CChar(bitPattern: $0) } + [0]))
    }

    /// Takes the file away, if it is there.
    package func removeFile() { _ = withPlatformString { unlink($0) } }

    /// Puts a folder on the disk: the names in it last only when that is done.
    package func synchronizeFolder() {
        guard let folder = try? FileDescriptor.open(self, .readOnly, options: [.directory, .closeOnExec]) else {
            return
        }
        fsync(folder.rawValue)
        try? folder.close()
    }
}

extension FilePath.Component {
    /// The name as it is stored, which need not be text.
    package var bytes: [UInt8] {
        withPlatformString { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }.map { UInt8(bitPattern: $0) }
    }
}
