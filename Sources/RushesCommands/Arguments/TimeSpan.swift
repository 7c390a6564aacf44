import ArgumentParser
import MediaTypes

/// A duration as people type it: `90`, `1.5s`, `250ms`, `2m`, `1h30m` or `00:01:30.5`.
struct TimeSpan: Equatable, Sendable {
    let duration: Duration

    /// - Returns: `nil` unless the whole text is a duration of at least zero.
    init?(_ text: String) {
        guard let seconds = Self.clock(text) ?? Self.units(text), seconds.isFinite, seconds < 1e9 else { return nil }
        duration = Duration(MediaTime(seconds: seconds))
    }

    /// The same as a time in a movie.
    var time: MediaTime { MediaTime(duration) }

    /// `minutes:seconds` or `hours:minutes:seconds`.
    private static func clock(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last.flatMap({ plainNumber($0) }), last < 60 else {
            return nil
        }
        var total = 0.0
        for part in parts.dropLast() {
            guard let value = Int(part), value >= 0, part.allSatisfy(\.isNumber) else { return nil }
            total = (total + Double(value)) * 60
        }
        return total + last
    }

    /// A bare number of seconds, or numbers with units, the larger first.
    private static func units(_ text: String) -> Double? {
        if let seconds = plainNumber(text[...]) { return seconds }
        let units = [("h", 3600.0), ("m", 60), ("s", 1), ("ms", 0.001)]
        var rest = text[...]
        var total = 0.0
        var smallest = -1
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            let letters = rest.dropFirst(digits.count).prefix { $0.isLetter }
            guard let value = plainNumber(digits), let index = units.firstIndex(where: { $0.0 == letters }),
                index > smallest
            else { return nil }
            total += value * units[index].1
            smallest = index
            rest = rest.dropFirst(digits.count + letters.count)
        }
        return smallest >= 0 ? total : nil
    }

    /// Digits with at most one point; not what else Double reads ("nan", "0x1p3", "-1").
    private static func plainNumber(_ text: Substring) -> Double? {
        guard !text.isEmpty, text.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }) else { return nil }
        return Double(text)
    }
}

extension TimeSpan: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

/// A duration that may be negative, such as a delay, or a time that counts from the end.
struct SignedTimeSpan: Equatable, Sendable, ExpressibleByArgument {
    let duration: Duration
    var isNegative: Bool { duration < .zero }

    init?(argument: String) {
        let isNegative = argument.hasPrefix("-")
        guard let span = TimeSpan(isNegative ? String(argument.dropFirst()) : argument) else { return nil }
        duration = isNegative ? .zero - span.duration : span.duration
    }

    /// The same as a time in a movie.
    var time: MediaTime { MediaTime(duration) }
}

/// How many times as fast, as people type it: `60x`, `60` or `2.5x`.
struct SpeedArgument: ExpressibleByArgument, Sendable, Equatable {
    var factor: Double

    /// - Returns: `nil` unless the whole text is a number above 0.
    init?(argument: String) {
        let digits = argument.hasSuffix("x") ? argument.dropLast() : argument[...]
        guard digits.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }), let factor = Double(digits),
            factor > 0, factor <= 1e6
        else { return nil }
        self.factor = factor
    }
}
