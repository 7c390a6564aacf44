/// What tests ask of all pixels of a frame, 8 bits each: this target is optimized, and in theirs such a loop takes a hundred times as long.
public enum Pixels {
    /// The mean of the squares of the differences.
    public static func squaredError(_ one: [UInt8], _ other: [UInt8]) -> Double {
        var sum = 0
        for (left, right) in zip(one, other) { sum += (Int(left) - Int(right)) * (Int(left) - Int(right)) }
        return Double(sum) / Double(one.count)
    }

    /// Where those lie that are brighter.
    public static func places(in frame: [UInt8], above value: UInt8) -> [Int] {
        frame.indices.filter { frame[$0] > value }
    }

    /// Whether one is brighter.
    public static func contains(_ frame: [UInt8], above value: UInt8) -> Bool { frame.contains { $0 > value } }

    /// Whether one differs from the first by more.
    public static func differ(_ frame: [UInt8], by difference: Int) -> Bool {
        frame.contains { abs(Int($0) - Int(frame[0])) > difference }
    }

    /// The mean of each frame of that many pixels.
    public static func means(_ frames: [UInt8], pixels: Int) -> [Double] {
        stride(from: 0, to: frames.count, by: pixels).map { begin in
            Double(frames[begin..<begin + pixels].reduce(0) { $0 + Int($1) }) / Double(pixels)
        }
    }
}
