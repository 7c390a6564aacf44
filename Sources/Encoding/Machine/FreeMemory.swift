import Foundation

/// How much memory a process may still take without others being swapped out.
package enum FreeMemory {
    /// Bytes: what the kernel holds for available, and no more than the control groups leave. Half a gigabyte where the system
    /// does not say.
    package static var bytes: Int64 {
        let text = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? ""
        return min(available(text) ?? 500_000_000, ControlGroup.own.freeMemory ?? .max)
    }

    /// `MemAvailable` of `/proc/meminfo`, in bytes.
    static func available(_ text: String) -> Int64? {
        for line in text.split(separator: "\n") where line.hasPrefix("MemAvailable:") {
            return line.split(separator: " ").compactMap { Int64($0) }.first.map { $0 * 1024 }
        }
        return nil
    }
}
