import GStreamer

/// The speed level of an encoder for a request, and whether the cores keep up with it.
struct SpeedChoice {
    let speed: EncoderSpeed?
    let isRealTime: Bool
    /// Cores that it needs at that speed; 0 for hardware, and for files, which may take their time.
    let load: Double

    init(_ entry: EncoderEntry, _ request: VideoRequest) {
        let meant = entry.speeds.filter { $0.purposes.contains(request.purpose) }
        let fitting =
            request.requiredSpeed.map { name in meant.filter { $0.name == name } } ?? meant.filter { !$0.isOnlyNamed }
        let deep = request.bitDepth > 8 ? entry.attributes.number("cost-factor-10") ?? 1 : 1
        func cores(_ speed: EncoderSpeed) -> Double {
            speed.cost * deep * request.arrivingPixels / 1e9 / max(request.coreSpeed, 0.001)
        }
        switch request.purpose {
        case .export:
            // A file may take its time.
            speed = fitting.first { $0.name == request.speed } ?? fitting.first
            (isRealTime, load) = (true, 0)
        case .live:
            // What is for relief waits for less delay and smaller files to be too much; whoever names no codec gets another one first.
            let usable = fitting.filter {
                !$0.isForRelief || request.requiredSpeed != nil
                    || request.codec != nil && $0.hasEnoughThreads(for: cores($0))
            }
            let able = usable.first { cores($0) <= request.limit }
            speed = able ?? usable.last
            load = entry.isHardware ? 0 : speed.map(cores) ?? 0
            isRealTime = entry.isHardware || able != nil || fitting.isEmpty
        }
    }

    /// "2 s", "0.5 s" or "600 s".
    private static func interval(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\((seconds * 1000).rounded() / 1000) s"
    }

    /// "H.264 with x264enc, speed veryfast: fast enough for 1280×720 at 30 fps on 2 cores", and "2 cores, 0.8 of them free" where
    /// others work too.
    func reason(_ table: EncoderTable, _ entry: EncoderEntry, profile: String?, _ request: VideoRequest) -> String {
        var text = table.name
        if let profile { text += " \(profile)" }
        text += " with \(entry.element)"
        if entry.isHardware { return text + ": hardware" }
        if let speed, entry.speeds.count > 1 { text += ", speed \(speed.name)" }
        if request.purpose == .export { return text }
        var cores = request.cores == 1 ? "1 core" : "\(request.cores) cores"
        if request.freeCores < 0.75 * Double(request.cores) {
            let free = Int((request.freeCores * 10).rounded())
            cores += ", \(free / 10).\(free % 10) of \(request.cores == 1 ? "it" : "them") free"
        }
        let load =
            request.arrivalRate.map { "a frame of \(request.size) every \(Self.interval(1 / $0))" }
            ?? "\(request.size) at \(request.rate.rateText) fps"
        let fastest = request.requiredSpeed == nil ? ", its fastest" : ""
        return isRealTime
            ? "\(text): fast enough for \(load) on \(cores)"
            : "\(text)\(fastest): may be too slow for \(load) on \(cores), so frames may be dropped"
    }
}

extension EncoderSpeed {
    /// Whether as many cores as it can use leave something over, with so many cores' worth of work.
    func hasEnoughThreads(for cores: Double) -> Bool { threads.map { cores <= $0 * 0.75 } ?? true }
}
