import GStreamer

/// Where one row of numbers lies in another: the normalised cross-correlation over all places, by Fourier transforms.
///
/// Each place is weighed by how much of both lies over each other, so that a few numbers that happen to agree at an end count less
/// than many in the middle.
struct CrossCorrelation {
    /// How well they agree at a place.
    struct Peak: Equatable {
        /// The number of the first row at which the second one begins; below zero if before.
        let lag: Int
        /// From -1 to 1.
        let correlation: Double
        /// The correlation times the root of how many numbers lie over each other: of rows that have nothing in common it is
        /// below 5 nearly always, whatever their length, if neighbouring numbers are independent.
        let score: Double
    }

    private let scores: [(correlation: Double, score: Double)]
    private let least: Int

    /// - Parameters:
    ///   - overlap: how many numbers have to lie over each other, at least.
    init(_ one: [Float], _ other: [Float], overlap: Int) {
        let products = FourierTransform.correlation(of: one, with: other)
        let (ones, others) = (Self.squares(one), Self.squares(other))
        let overlap = max(1, overlap)
        (least, scores) = (
            -(other.count - overlap),
            (-(other.count - overlap)..<max(one.count - overlap + 1, -(other.count - overlap))).map { lag in
                guard !products.isEmpty else { return (0, 0) }
                let (begin, end) = (max(0, lag), min(one.count, other.count + lag))
                let energy = (ones[end] - ones[begin]) * (others[end - lag] - others[begin - lag])
                guard energy > 1e-9 else { return (0, 0) }
                let product = Double(products[lag < 0 ? lag + products.count : lag])
                let correlation = product / energy.squareRoot()
                return (correlation, correlation * Double(end - begin).squareRoot())
            }
        )
    }

    private static func squares(_ numbers: [Float]) -> [Double] {
        numbers.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + Double($1) * Double($1)) }
    }

    /// The best place, and the best one that is further from it than `distance`.
    func peaks(apart distance: Int) -> (best: Peak, second: Peak)? {
        func peak(_ indices: some Sequence<Int>) -> Peak? {
            indices.max { scores[$0].score < scores[$1].score }.map {
                Peak(lag: $0 + least, correlation: scores[$0].correlation, score: scores[$0].score)
            }
        }
        guard let best = peak(scores.indices) else { return nil }
        let others = scores.indices.lazy.filter { abs($0 + least - best.lag) > distance }
        return (best, peak(others) ?? Peak(lag: best.lag, correlation: 0, score: 0))
    }
}
