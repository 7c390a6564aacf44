import Foundation

/// What the cores that this process may run on have done until an instant, in seconds of all of them together.
struct ProcessorTimes: Equatable {
    /// The cores.
    var cores = 0
    /// All time.
    var total = 0.0
    /// Time in which there was nothing to do.
    var idle = 0.0
    /// Time for programs that give way to others ("nice").
    var yielding = 0.0
    /// What this process used itself.
    var own = 0.0

    /// - Parameters:
    ///   - text: what `/proc/stat` says.
    ///   - allowed: the cores' numbers; empty: all.
    ///   - ticks: of that file in a second.
    ///   - own: seconds that this process used.
    init(_ text: String, allowed: Set<Int>, ticks: Double, own: Double) {
        self.own = own
        for line in Self.lines(text) where line.hasPrefix("cpu") {
            let fields = line.split(separator: " ")
            guard let number = fields.first.flatMap({ Int($0.dropFirst(3)) }),
                allowed.isEmpty || allowed.contains(number)
            else { continue }
            // User, nice, system, idle, waiting for a disk, interrupts, soft interrupts, stolen; guests are in the first two.
            let times = fields.dropFirst().prefix(8).compactMap { Double($0) }.map { $0 / ticks }
            guard times.count >= 4 else { continue }
            cores += 1
            total += times.reduce(0, +)
            idle += times[3] + (times.count > 4 ? times[4] : 0)
            yielding += times[1]
        }
    }

    /// How many cores' worth of time others have left since an earlier instant; `nil` where too little time has passed to tell.
    ///
    /// - Parameter yields: whether this process gives way itself; then the others that do give way no more than it.
    func freeCores(since earlier: ProcessorTimes, yields: Bool) -> Double? {
        let span = (total - earlier.total) / Double(max(1, cores))
        // The kernel counts in hundredths.
        guard cores > 0, cores == earlier.cores, span >= 0.05 else { return nil }
        // What gives way may still hold a core's caches, and its turn.
        let yielding = yields ? 0 : (yielding - earlier.yielding) / 2
        let free = (idle - earlier.idle + own - earlier.own + yielding) / span
        // However busy the others are, the kernel gives a live encoder its turn.
        return min(Double(cores), max(free, Double(cores) / 4))
    }

    /// By bytes, as a recording looks once a second, and the kernel's line of interrupts has thousands of characters.
    private static func lines(_ text: String) -> some Sequence<Substring> {
        text.utf8.split(separator: UInt8(ascii: "\n")).lazy.map(Substring.init)
    }

    /// "0-2,5" as `/proc/self/status` lists the cores that a process may use.
    static func list(_ text: some StringProtocol) -> Set<Int> {
        var cores: Set<Int> = []
        for part in text.split(separator: ",") {
            let ends = part.split(separator: "-").compactMap { Int(String($0.filter(\.isNumber))) }
            if let first = ends.first, let last = ends.last, first <= last, last < 1 << 16 {
                cores.formUnion(first...last)
            }
        }
        return cores
    }
}

extension ProcessorTimes {
    /// This machine's, now; `nil` where the kernel does not say.
    static var now: ProcessorTimes? {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let key = "Cpus_allowed_list:"
        let allowed = lines(status).first { $0.hasPrefix(key) }.map { list($0.dropFirst(key.count)) }
        var own = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own)
        return ProcessorTimes(
            text, allowed: allowed ?? [], ticks: Double(max(1, sysconf(Int32(_SC_CLK_TCK)))),
            own: Double(own.tv_sec) + Double(own.tv_nsec) / 1e9)
    }
}
