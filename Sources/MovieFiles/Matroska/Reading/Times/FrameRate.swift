/// A constant rate that rounded times stand for.
///
/// Matroska's times are whole milliseconds as a rule, so those of 30 frames a second are 0, 33, 67, …: as a movie's they
/// would be uneven, and a player's display shows it.
struct FrameRate: Sendable, Equatable {
    /// Ticks in a second.
    var timescale: UInt32
    /// Of a frame, in ticks.
    var duration: UInt32
    /// In which of the rate's places each frame is, beginning with 0, in the order of the times.
    var places: [Int64]

    /// The rates that cameras, films and televisions have, in frames a second.
    private static let rates: [(timescale: UInt32, duration: UInt32)] =
        [24, 25, 30, 48, 50, 60, 100, 120, 240, 15, 20, 10, 12, 5, 1].map { ($0 * 1000, 1000) }
        + [24, 30, 48, 60, 120, 240, 15].map { ($0 * 1000, 1001) }
        + [(12_500, 1000)]

    /// - Parameters:
    ///   - times: Of the frames, in rising order, in nanoseconds.
    ///   - resolution: What they are multiples of, in nanoseconds.
    ///   - told: How long the file says that each frame lasts, in nanoseconds.
    /// - Returns: nil where no such rate gives these times when it is rounded.
    init?(_ times: [Int64], resolution: UInt64, told: UInt64?) {
        guard let first = times.first else { return nil }
        let resolution = Double(resolution)
        var best: (rate: FrameRate, spread: Double)?
        for (timescale, duration) in Self.candidates(times, resolution, told) {
            let length = Double(duration) * 1e9 / Double(timescale)
            var (low, high, last) = (0.0, 0.0, Int64(-1))
            var places: [Int64] = []
            places.reserveCapacity(times.count)
            for time in times {
                let place = (Double(time - first) / length).rounded()
                let error = Double(time - first) - place * length
                (low, high) = (min(low, error), max(high, error))
                // Rounding moves a time by half of the resolution at most, to either side, or by less than one to the same.
                guard high - low <= resolution * 1.001 + 1, place < 1e15, Int64(place) > last else { break }
                last = Int64(place)
                places.append(last)
            }
            guard places.count == times.count, high - low < best?.spread ?? .infinity else { continue }
            best = (FrameRate(timescale: timescale, duration: duration, places: places), high - low)
        }
        guard let best else { return nil }
        self = best.rate
    }

    private init(timescale: UInt32, duration: UInt32, places: [Int64]) {
        (self.timescale, self.duration, self.places) = (timescale, duration, places)
    }

    /// Those that come near what the file tells; without that, near what most frames last.
    private static func candidates(
        _ times: [Int64], _ resolution: Double, _ told: UInt64?
    ) -> [(timescale: UInt32, duration: UInt32)] {
        func near(_ length: Double, within tolerance: Double) -> [(timescale: UInt32, duration: UInt32)] {
            rates.filter { abs(Double($0.duration) * 1e9 / Double($0.timescale) - length) <= tolerance }
        }
        if let told {
            // Told in whole nanoseconds, by some in whole microseconds.
            let exact = near(Double(told), within: 1000)
            if !exact.isEmpty { return exact }
        }
        guard times.count > 1 else { return [] }
        let lengths = zip(times, times.dropFirst()).map { Double($1 - $0) }.sorted()
        return near(lengths[lengths.count / 2], within: resolution)
    }
}
