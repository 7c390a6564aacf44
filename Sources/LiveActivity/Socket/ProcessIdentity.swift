import FileSystem
import Foundation
import SystemPackage

/// A process, told from every other that had or will have its number.
package struct ProcessIdentity: Sendable, Codable, Hashable {
    let pid: Int32
    /// Clock ticks from the machine's start to the process's (proc(5), field 22 of stat).
    let startTime: UInt64
    /// After a restart the numbers and ticks begin anew.
    package var boot: String
    /// The processes that see each other (pid_namespaces(7)): a container has its own numbers.
    let namespace: String
    /// A home may be shared by several machines.
    package var host: String

    package static let current = ProcessIdentity(pid: getpid())

    package init(pid: Int32) {
        self.pid = pid
        startTime = Self.status(pid)?.startTime ?? 0
        boot = Self.boot
        namespace = Self.namespace
        host = ProcessInfo.processInfo.hostName
    }

    /// `nil` if nobody can tell here.
    package var isAlive: Bool? {
        // Another start of a machine of this name was this machine's.
        guard boot == Self.boot else { return host == Self.current.host ? false : nil }
        guard namespace == Self.namespace else { return nil }
        guard let status = Self.status(pid), status.startTime == startTime else { return false }
        // A zombie has done its last work; its parent may never ask for it.
        return status.state != "Z" && status.state != "X"
    }

    private static let boot =
        AtomicFile.text("/proc/sys/kernel/random/boot_id")?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""

    private static let namespace =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")) ?? ""

    /// The name of the program stands in parentheses and may hold any character, so fields are counted after the last one.
    private static func status(_ pid: Int32) -> (state: Substring, startTime: UInt64)? {
        guard let text = AtomicFile.text(FilePath("/proc/\(pid)/stat")), let end = text.lastIndex(of: ")") else {
            return nil
        }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let time = UInt64(fields[19]) else { return nil }
        return (fields[0], time)
    }
}
