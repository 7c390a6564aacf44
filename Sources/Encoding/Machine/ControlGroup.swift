import Foundation

/// What the kernel's control groups leave to this process: containers and services are limited by them.
package struct ControlGroup {
    /// Cores' worth of time, or `nil` without a limit.
    package private(set) var cores: Double?
    /// Bytes of memory until the limit, or `nil` without one.
    private(set) var freeMemory: Int64?

    /// - Parameters:
    ///   - membership: what `/proc/self/cgroup` says.
    ///   - read: a file below `/sys/fs/cgroup`, or `nil`.
    package init(membership: String, read: (String) -> String?) {
        for line in membership.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            // A limit of any group above holds too. In a namespace of its own a group is the root of what is seen.
            for group in Self.upwards(String(parts[2])) {
                switch parts[1] {
                case "":
                    for root in ["", "unified/"] { limit(version2: root + group, read) }
                case let names:
                    for name in names.split(separator: ",") { limit(version1: "\(name)\(group)", String(name), read) }
                }
            }
        }
    }

    /// This process's.
    package static var own: ControlGroup {
        ControlGroup(membership: (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? "") {
            try? String(contentsOfFile: "/sys/fs/cgroup/\($0)", encoding: .utf8)
        }
    }

    /// "/a/b", "/a", "".
    private static func upwards(_ path: String) -> [String] {
        let parts = path.split(separator: "/").map(String.init)
        return (0...parts.count).reversed().map { count in parts.prefix(count).map { "/" + $0 }.joined() }
    }

    private mutating func limit(version2 folder: String, _ read: (String) -> String?) {
        let parts = read("\(folder)/cpu.max")?.split(whereSeparator: \.isWhitespace).map { Double($0) } ?? []
        if parts.count == 2, let quota = parts[0], let period = parts[1] { limit(quota: quota, period: period) }
        limit(memory: read("\(folder)/memory.max"), used: read("\(folder)/memory.current"))
    }

    private mutating func limit(version1 folder: String, _ controller: String, _ read: (String) -> String?) {
        switch controller {
        case "cpu":
            if let quota = Self.number(read("\(folder)/cpu.cfs_quota_us")),
                let period = Self.number(read("\(folder)/cpu.cfs_period_us"))
            {
                limit(quota: Double(quota), period: Double(period))
            }
        case "memory":
            limit(
                memory: read("\(folder)/memory.limit_in_bytes"), used: read("\(folder)/memory.usage_in_bytes"))
        default: break
        }
    }

    private mutating func limit(quota: Double, period: Double) {
        // -1 is none.
        guard quota > 0, period > 0 else { return }
        cores = min(cores ?? .infinity, quota / period)
    }

    private mutating func limit(memory: String?, used: String?) {
        // "max" and version 1's largest number are none.
        guard let most = Self.number(memory), most < 1 << 60, let used = Self.number(used) else { return }
        freeMemory = min(freeMemory ?? .max, max(0, most - used))
    }

    private static func number(_ text: String?) -> Int64? { text.flatMap { Int64($0.filter { !$0.isWhitespace }) } }
}

/// How much memory a process may still take without others being swapped out.
package enum FreeMemory {
    /// Bytes: what the kernel holds for available, and no more than the control groups leave. Half a gigabyte where the system
    /// does not say.
    package static var bytes: Int64 { bytes(in: .own) }

    /// The same, as a control group leaves it.
    package static func bytes(in group: ControlGroup) -> Int64 {
        let text = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? ""
        return min(available(text) ?? 500_000_000, group.freeMemory ?? .max)
    }

    /// `MemAvailable` of `/proc/meminfo`, in bytes.
    static func available(_ text: String) -> Int64? {
        for line in text.split(separator: "\n") where line.hasPrefix("MemAvailable:") {
            return line.split(separator: " ").compactMap { Int64($0) }.first.map { $0 * 1024 }
        }
        return nil
    }
}
