import Foundation

/// Where Orc keeps the loops of GStreamer's elements that it compiles as they run.
///
/// That is a nameless file, mapped, in the first of four folders that takes one (orc 0.4.33). On a full disk the file is made all the
/// same, and what writes into it ends the process (SIGBUS), before a recording's first frame.
enum CompiledCode {
    /// More than Orc writes, in bytes.
    private static let needed: UInt64 = 1 << 20

    /// Has Orc use the loops that were compiled before, which are slower, where the folder's disk is full. Orc reads it when it starts, with
    /// GStreamer. Called before there are threads, as nothing may read the environment meanwhile.
    static func avoidFullDisk() {
        let environment = ProcessInfo.processInfo.environment
        guard let free = freeSpace(environment), free < needed else { return }
        setenv("ORC_CODE", "backup", 0)
    }

    /// What is free where Orc keeps its file; nil where no folder takes one, as it keeps that in memory then.
    private static func freeSpace(_ environment: [String: String]) -> UInt64? {
        let folders = ["XDG_RUNTIME_DIR", "HOME", "TMPDIR"].compactMap { environment[$0] } + ["/tmp"]
        return folders.lazy.compactMap { folder in
            var status = statvfs()
            // Nothing runs that lies on a disk without programs.
            guard access(folder, W_OK | X_OK) == 0, statvfs(folder, &status) == 0,
                status.f_flag & (UInt(ST_RDONLY) | noPrograms) == 0
            else { return nil }
            return UInt64(status.f_bavail) * UInt64(status.f_frsize)
        }.first
    }

    /// `ST_NOEXEC` of `sys/statvfs.h`, which Swift's Glibc module leaves out.
    private static let noPrograms: UInt = 8
}
