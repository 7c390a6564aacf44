import Encoding
import LiveActivity

/// How many files are exported at once where nobody says so.
///
/// An encoder for frames uses several cores by itself, and a second one beside it gains little; but a short clip is
/// mostly opening, starting and completing, which use one core. Measured on two cores: x264 with two files at a time takes
/// 0.84 of the time, x265 0.95. Each encoder keeps its own frames, so the memory bounds it too.
struct JobCount {
    /// Processor cores that this process may use.
    var cores: Int
    /// Bytes of memory that are free for it; `nil` sets no bound.
    var memory: Int64?

    /// Seconds; a clip that is not longer counts as short.
    static let short = 20.0
    /// Cores that one encoder keeps busy.
    static let coresForOne = 4
    /// Bytes that an encoder holds for each pixel of a frame, and beside them (measured: x265 and x264, 374 MB at 1080p).
    static let bytesForPixel: Int64 = 200
    static let bytesForOne: Int64 = 80 << 20

    func jobs(for items: [BatchProgress.Item]) -> Int {
        let known = items.compactMap(\.duration).sorted()
        let isShort = known.count * 2 > items.count && known[known.count / 2] <= Self.short
        // Two at least: while one is completed, the other encodes.
        let byCores = isShort ? cores : max(min(cores, 2), cores / Self.coresForOne)
        let pixels = Int64(items.compactMap(\.pixels).max() ?? 1920 * 1080)
        let byMemory = memory.map { $0 / (pixels * Self.bytesForPixel + Self.bytesForOne) } ?? .max
        return max(1, min(byCores, Int(clamping: byMemory)))
    }
}

extension JobCount {
    /// Of this machine now, as far as the container or service that this process is in leaves it to it.
    static func machine(in group: ControlGroup = .own) -> JobCount {
        let cores = group.cores.map { max(1, Int($0.rounded(.up))) } ?? .max
        return JobCount(
            cores: min(MachineCores.available, cores), memory: FreeMemory.bytes(in: group))
    }
}
