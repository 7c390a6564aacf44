/// Which samples of a row or column the samples of another are made of: the n-th of them covers the source from
/// `origin + n × step` to one step further, cut to the bounds.
struct ResamplingSpan: Hashable {
    /// Where the first begins, in samples of the source; may lie before the lower bound.
    var origin: Double
    /// Samples of the source for each that is made; above 1 where it becomes smaller.
    var step: Double
    /// How many are made.
    var count: Int
    /// What of the source is used, from the beginning of its first sample.
    var lower: Double
    var upper: Double

    /// The whole part of the source that is used, in whole samples.
    var samples: Range<Int> { Int(lower.rounded(.down))..<Int(upper.rounded(.up)) }

    /// The first sample where each is made of one whole sample: nothing is to be computed then.
    var copiedFrom: Int? {
        step == 1 && origin == origin.rounded() && origin >= lower && origin + Double(count) <= upper
            ? Int(origin) : nil
    }

    /// The first sample where the source is a whole number of samples, all of which are used alike.
    var wholeFrom: Int? {
        let length = step * Double(count)
        return origin == lower && origin == origin.rounded() && abs(lower + length - upper) < 1e-6
            && abs(length - length.rounded()) < 1e-6 ? Int(origin) : nil
    }
}

/// The weights of a ``ResamplingSpan``.
///
/// What becomes smaller is the mean of the area that each sample covers, with the parts of samples at its edges in proportion; what
/// becomes larger is interpolated between the two nearest.
struct ResamplingWeights {
    /// Of each sample that is made: the first that it is made of, and where its weights begin and end.
    let firsts: [Int]
    let starts: [Int]
    let weights: [UInt16]

    /// - Parameter one: what the weights of each sample sum up to; at most 32768.
    init(_ span: ResamplingSpan, one: Int) {
        var (firsts, starts, weights) = ([Int](), [0], [UInt16]())
        for index in 0..<span.count {
            let taps = span.taps(index)
            let scaled = Self.scaled(taps.weights, to: one)
            firsts.append(taps.first)
            weights += scaled
            starts.append(weights.count)
        }
        (self.firsts, self.starts, self.weights) = (firsts, starts, weights)
    }

    /// Rounded so that nothing is lost: a flat area stays as it is.
    private static func scaled(_ weights: [Double], to one: Int) -> [UInt16] {
        let sum = weights.reduce(0, +)
        var (exact, rounded) = (0.0, 0)
        return weights.map { weight in
            exact += weight / sum * Double(one)
            let next = Int(exact.rounded())
            defer { rounded = next }
            return UInt16(next - rounded)
        }
    }
}

extension ResamplingSpan {
    /// The samples that one is made of, and how much each counts.
    func taps(_ index: Int) -> (first: Int, weights: [Double]) {
        let samples = samples
        let begin = origin + Double(index) * step
        guard step < 1 else {
            let low = min(max(begin, lower), upper)
            let high = min(max(begin + step, lower), upper)
            let first = min(Int(low.rounded(.down)), samples.upperBound - 1)
            let last = max(first, Int((high - 1e-9).rounded(.up)) - 1)
            let weights = (first...last).map { max(0, min(high, Double($0 + 1)) - max(low, Double($0))) }
            return weights.contains { $0 > 0 } ? (first, weights) : (first, [1])
        }
        let center = min(max(begin + step / 2, lower), upper) - 0.5
        let near = Int(center.rounded(.down))
        let share = center - Double(near)
        if near < samples.lowerBound { return (samples.lowerBound, [1]) }
        if near + 1 >= samples.upperBound { return (samples.upperBound - 1, [1]) }
        return (near, [1 - share, share])
    }
}
