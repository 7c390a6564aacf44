import Errors
import GStreamer

/// The options behind `test:`, such as "pattern=ball,size=1280x720,rate=30".
struct TestOptions {
    private var values: [String: String] = [:]
    private let source: String

    /// - Throws: ``RushesError`` for what is not name=value.
    init(_ text: String, of source: String) throws(RushesError) {
        self.source = source
        for option in text.split(separator: ",") {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw RushesError(
                    .badSource,
                    "\(source): “\(option)” is not name=value, as in test:pattern=ball,size=1280x720,rate=30")
            }
            values[String(parts[0])] = String(parts[1])
        }
    }

    func frame() throws(RushesError) -> TestPattern {
        try allow(["pattern", "size", "rate"])
        var frame = TestPattern()
        if let pattern = values["pattern"] { frame.pattern = pattern }
        if let size = values["size"] { frame.size = try read(size, "size", "1280x720") { VideoSize($0) } }
        if let rate = values["rate"] {
            frame.rate = try read(rate, "rate", "30 or 30000/1001") { Fraction(frameRate: $0) }
        }
        return frame
    }

    func tone() throws(RushesError) -> TestTone {
        try allow(["frequency", "volume", "wave"])
        var tone = TestTone()
        if let frequency = values["frequency"] {
            tone.frequency = try read(frequency, "frequency", "1000, 1 to 24000 hertz") { number($0, 1...24_000) }
        }
        if let volume = values["volume"] {
            tone.volume = try read(volume, "volume", "0.5, 0 to 1") { number($0, 0...1) }
        }
        if let wave = values["wave"] { tone.wave = wave }
        return tone
    }

    private func number(_ text: String, _ range: ClosedRange<Double>) -> Double? {
        Double(text).flatMap { range.contains($0) ? $0 : nil }
    }

    private func allow(_ names: [String]) throws(RushesError) {
        guard let unknown = values.keys.sorted().first(where: { !names.contains($0) }) else { return }
        throw RushesError(
            .badSource, "\(source): test has no option “\(unknown)” here; it has \(names.joined(separator: ", "))")
    }

    private func read<Value>(
        _ text: String, _ name: String, _ example: String, _ convert: (String) -> Value?
    ) throws(RushesError) -> Value {
        if let value = convert(text) { return value }
        throw RushesError(.badSource, "\(source): \(name) cannot be “\(text)”; write it as in \(name)=\(example)")
    }
}
