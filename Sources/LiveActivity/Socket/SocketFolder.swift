import FileSystem
import Foundation
import SystemPackage

/// Where the processes' sockets are: `$XDG_RUNTIME_DIR/rushes`, which is private and gone after a restart; else beside the
/// journal.
enum SocketFolder {
    /// Opens this process's socket; `nil` where there can be none, and then the activities are only listed.
    ///
    /// - Parameter requestTimeout: how long a client has to send its request.
    static func serve(
        _ center: ActivityCenter, beside journal: FilePath, requestTimeout: Duration,
        runtime: FilePath? = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].map { FilePath($0) }
    ) -> ActivityServer? {
        let own = runtime.flatMap { $0.isAbsolute ? $0.appending("rushes") : nil }
        for folder in [own, journal.appending("sockets")].compactMap(\.self) {
            // Nothing is made in another user's journal.
            guard folder == own || (try? PrivateFolder.create(journal)) != nil,
                (try? PrivateFolder.create(folder)) != nil
            else { continue }
            // Beside the journal there may be those of another machine that shares this home.
            if folder == own { removeDead(in: folder) }
            let this = ProcessIdentity.current
            let name = "\(this.pid)-\(this.startTime)-\(UInt32.random(in: 0 ... .max)).socket"
            if let server = try? ActivityServer(center, at: folder.appending(name), requestTimeout: requestTimeout) {
                return server
            }
        }
        return nil
    }

    /// Takes a dead process's socket away; whatever else a file may name as such is not ours.
    static func remove(_ socket: String, of process: ProcessIdentity) {
        let name = FilePath(socket).lastComponent?.string ?? ""
        var status = stat()
        guard name.hasPrefix("\(process.pid)-\(process.startTime)-"), name.hasSuffix(".socket"),
            lstat(socket, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid()
        else { return }
        unlink(socket)
    }

    /// What processes that were killed left.
    private static func removeDead(in folder: FilePath) {
        let names = (try? FolderDescriptor.texts(in: folder)) ?? []
        for name in names where name.hasSuffix(".socket") {
            let parts = name.split(separator: "-")
            guard parts.count == 3, let pid = Int32(parts[0]), let time = UInt64(parts[1]) else { continue }
            let identity = ProcessIdentity(pid: pid)
            if identity.startTime != time || identity.isAlive == false { unlink(folder.appending(name).string) }
        }
    }
}
