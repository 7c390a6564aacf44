import Foundation

extension JobCount {
    /// Of this machine now.
    static var machine: JobCount {
        JobCount(cores: ProcessInfo.processInfo.activeProcessorCount, memory: availableMemory)
    }

    /// `MemAvailable` of proc(5), which counts what the page cache would give back.
    private static var availableMemory: Int64? {
        guard let text = try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("MemAvailable:") }),
            let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int64($0) })
        else { return nil }
        return kilobytes * 1024
    }
}
