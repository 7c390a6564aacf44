/// How far a batch is: each item counts by the work that it is, not as one of so many.
package struct BatchProgress: Sendable {
    /// What is known of an item before it is begun.
    package struct Item: Sendable, Hashable {
        /// Seconds.
        package var duration: Double?
        /// The pixels of one frame.
        package var pixels: Int?
        /// The size of its file.
        package var bytes: Int64?

        /// What is left out is guessed from the other items.
        package init(duration: Double? = nil, pixels: Int? = nil, bytes: Int64? = nil) {
            (self.duration, self.pixels, self.bytes) = (duration, pixels, bytes)
        }
    }

    private let weights: [Double]
    private var fractions: [Double]
    private var isOver: [Bool]
    private var isAbandoned: [Bool]

    /// - Parameter items: in the order of the numbers that they are called by, from 0.
    package init(_ items: [Item]) {
        weights = Self.weights(items)
        fractions = items.map { _ in 0 }
        isOver = items.map { _ in false }
        isAbandoned = isOver
    }

    /// - Parameter fraction: how far the item is, from 0 to 1.
    package mutating func advance(_ item: Int, to fraction: Double) {
        guard fractions.indices.contains(item), fraction.isFinite else { return }
        fractions[item] = max(fractions[item], min(max(fraction, 0), 1))
    }

    /// The item is complete.
    package mutating func finish(_ item: Int) {
        advance(item, to: 1)
        if isOver.indices.contains(item) { isOver[item] = true }
    }

    /// Nothing more is done for the item, which has failed or was given up: it stays as far as it is.
    package mutating func abandon(_ item: Int) {
        guard isOver.indices.contains(item) else { return }
        (isOver[item], isAbandoned[item]) = (true, true)
    }

    /// For how many of them nothing more is done.
    package var completedItems: Int { isOver.count { $0 } }

    /// From 0 to 1, where every item is complete.
    package var fraction: Double { share(of: weights.reduce(0, +)) }

    /// From 0 to 1, where nothing is left to do, whatever has become of the items.
    package var workedFraction: Double {
        let left = weights.indices.reduce(0) { isAbandoned[$1] ? $0 + weights[$1] * (1 - fractions[$1]) : $0 }
        return share(of: weights.reduce(0, +) - left)
    }

    private func share(of total: Double) -> Double {
        guard total > 0 else { return 0 }
        return min(1, zip(weights, fractions).reduce(0) { $0 + $1.0 * $1.1 } / total)
    }

    /// Seconds times pixels, which is what coding costs; where only the file's size is known, by what a byte costs in the
    /// other items; where nothing is known, as much as the others on average.
    private static func weights(_ items: [Item]) -> [Double] {
        let pixels = mean(items.compactMap { $0.pixels.map(Double.init) }) ?? 1
        let known = items.map { item -> Double? in
            guard let duration = item.duration, duration.isFinite, duration > 0 else { return nil }
            return duration * max(1, item.pixels.map(Double.init) ?? pixels)
        }
        let both = zip(items, known).compactMap { item, weight in
            weight.flatMap { weight in item.bytes.map { (weight, Double($0)) } }
        }
        let bytes = both.reduce(0) { $0 + $1.1 }
        // Where no duration is known at all, bytes are as good as anything.
        let perByte = known.allSatisfy { $0 == nil } ? 1 : bytes > 0 ? both.reduce(0) { $0 + $1.0 } / bytes : nil
        let guessed = zip(items, known).map { item, weight in
            weight ?? item.bytes.flatMap { bytes in perByte.map { $0 * Double(max(0, bytes)) } }
        }
        let average = mean(guessed.compactMap(\.self)) ?? 1
        return guessed.map { $0 ?? average }
    }

    private static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
}
