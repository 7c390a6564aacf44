package import Errors

/// Several movies that are encoded at the same time, and the cores that they share. Pure.
///
/// By the encoder tables' costs: each gets what its cheapest encoder needs, and a part of the rest in proportion; what one has no use
/// for goes to the next, and in the end back to the first.
package struct SharedCores: Sendable, Equatable {
    /// What each movie would be encoded with.
    package let encoders: [VideoEncoder]
    /// How much of the cores that encoders may take is for each, for ``MoviePlanner``; together at most 1, but where they do not keep up.
    package let shares: [Double]
    /// Cores that all of them need together, and how many can be given to them.
    package let (load, limit): (Double, Double)

    /// Whether the cores keep up with all.
    package var isRealTime: Bool { encoders.allSatisfy(\.isRealTime) }

    /// - Parameters:
    ///   - requests: of the same machine, the most important one first.
    ///   - reserved: cores that something else needs which runs beside them.
    /// - Throws: ``RushesError`` with the cure if no encoder fits one of them.
    package init(
        _ requests: [VideoRequest], reserving reserved: Double = 0, _ tables: EncoderTables,
        installed: InstalledElements = .registry
    ) throws(RushesError) {
        let free = requests.first?.freeCores ?? 0
        let whole = EncoderTables.cpuBudget * free
        // What is not for encoders has room for a single camera's decoding.
        let limit = max(0, min(whole, Self.most * free - reserved))
        func best(_ request: VideoRequest, _ cores: Double) throws(RushesError) -> VideoEncoder {
            var request = request
            request.freeCores = cores / EncoderTables.cpuBudget
            // Where none fits, an error says so.
            guard let first = try tables.videoEncoders(for: request, installed: installed).first else {
                throw RushesError(.encoderMissing, "No encoder fits this video.")
            }
            return first
        }
        var least: [Double] = []
        for request in requests { least.append(try best(request, 0).load) }
        let sum = least.reduce(0, +)
        var (encoders, left): ([VideoEncoder], Double) = ([], 0)
        for (request, least) in zip(requests, least) {
            let own = sum > 0 ? limit * least / sum : limit / Double(requests.count)
            let encoder = try best(request, own + left)
            encoders.append(encoder)
            left = max(0, own + left - encoder.load)
        }
        if left > 0, let request = requests.first, let first = encoders.first {
            encoders[0] = try best(request, first.load + left)
        }
        let load = encoders.reduce(0) { $0 + $1.load }
        (self.encoders, self.limit, self.load) = (encoders, limit, load)
        let rest = max(0, limit - load) / Double(max(1, encoders.count))
        shares = encoders.map { whole > 0 ? min(1, ($0.load + rest) / whole) : 1 / Double(encoders.count) }
    }

    /// How much of the free cores may be in use before something is late.
    private static let most = 0.8
}
