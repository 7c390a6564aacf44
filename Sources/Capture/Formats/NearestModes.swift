import GStreamer

/// What a camera has nearest to a request that it cannot fulfil.
struct NearestModes {
    let request: FormatRequest
    /// At most two, the nearest first.
    let modes: [CameraMode]

    init(among modes: [CameraMode], to request: FormatRequest) {
        self.request = request
        var nearest: [CameraMode] = []
        // First what keeps the size and misses the rate, then what keeps the rate and misses the size.
        let keepsSize = modes.filter { $0.format.size == request.size }
        let keepsRate = modes.filter { mode in request.rate.map { mode.rate.isSameRate(as: $0) } ?? true }
        for group in [keepsSize, keepsRate, keepsRate, modes] {
            let best = group.filter { mode in !nearest.contains { Self.words($0, request) == Self.words(mode, request) }
            }
            .min { Self.distance($0, request).lexicographicallyPrecedes(Self.distance($1, request)) }
            if let best, nearest.count < 2 { nearest.append(best) }
        }
        self.modes = nearest
    }

    private static func distance(_ mode: CameraMode, _ request: FormatRequest) -> [Double] {
        let size = request.size.map { abs(Double(mode.format.size.pixels - $0.pixels)) } ?? 0
        let rate = request.rate.map { abs(mode.rate.doubleValue - $0.doubleValue) } ?? 0
        // Sizes before rates; where nothing else is asked, the larger and the faster.
        return [size, rate, -Double(mode.format.size.pixels), -mode.rate.doubleValue]
    }

    /// Only of what was asked: the size, or size and rate.
    private static func words(_ mode: CameraMode, _ request: FormatRequest) -> String {
        request.rate == nil ? "\(mode.format.size)" : mode.words
    }

    func sentence(for name: String) -> String {
        let asked: String
        switch (request.size, request.rate) {
        case (let size?, let rate?): asked = "\(size) at \(rate.rateText)"
        case (let size?, nil): asked = "\(size)"
        case (nil, let rate?): asked = "\(rate.rateText) frames a second"
        case (nil, nil): asked = "such format"
        }
        let kind = request.copiesStream ? "compressed stream of " : ""
        let words = modes.map { Self.words($0, request) }
        let list = words.joined(separator: " and ")
        return "\(name) has no \(kind)\(asked); the nearest \(words.count == 1 ? "is" : "are") \(list)"
    }
}
