import GStreamer

/// The speed level of an encoder for a request, and whether the cores keep up with it.
struct Pace {
    let speed: EncoderSpeed?
    let keepsUp: Bool

    init(_ entry: EncoderEntry, _ request: VideoRequest) {
        let fitting = entry.speeds.filter { $0.purposes.contains(request.purpose) }
        let deep = request.bitDepth > 8 ? entry.facts.number("cost-factor-10") ?? 1 : 1
        let limit = EncoderTables.share * Double(request.cores)
        func load(_ speed: EncoderSpeed) -> Double {
            speed.cost * deep * request.pixelsPerSecond / 1e9 / max(request.coreSpeed, 0.001)
        }
        switch request.purpose {
        case .export:
            // A file may take its time.
            speed = fitting.first { $0.name == request.speed } ?? fitting.first
            keepsUp = true
        case .live:
            let able = fitting.first { load($0) <= limit }
            speed = able ?? fitting.last
            keepsUp = entry.isHardware || able != nil || fitting.isEmpty
        }
    }

    /// "H.264 with x264enc, speed veryfast: 2 cores keep up with 1280×720 at 30".
    func reason(_ table: EncoderTable, _ entry: EncoderEntry, profile: String?, _ request: VideoRequest) -> String {
        var text = table.name
        if let profile { text += " \(profile)" }
        text += " with \(entry.element)"
        if entry.isHardware { return text + ": hardware" }
        if let speed, entry.speeds.count > 1 { text += ", speed \(speed.name)" }
        if request.purpose == .export { return text }
        let cores = request.cores == 1 ? "1 core" : "\(request.cores) cores"
        let verb = request.cores == 1 ? "keeps" : "keep"
        let load = "\(request.size) at \(request.rate.short)"
        return keepsUp
            ? "\(text): \(cores) \(verb) up with \(load)"
            : "\(text), its fastest: \(cores) may not keep up with \(load), pictures too many are dropped and counted"
    }
}

extension Fraction {
    /// "30" or "29.97".
    fileprivate var short: String {
        if denominator == 1 { return String(numerator) }
        let hundredths = Int((doubleValue * 100).rounded())
        return hundredths % 100 == 0
            ? String(hundredths / 100) : "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
