/// Subtitles as Blu-ray has them, in the form of a file (SUP): a white bar for each, 192 pixels across a screen of 108 rows.
enum BlurayText {
    private static func big(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// - Parameter times: when each is seen, in seconds.
    static func file(_ times: [ClosedRange<Double>]) -> [UInt8] {
        let (width, height) = (60, 8)
        var bytes: [UInt8] = []
        func segment(_ kind: UInt8, _ time: Double, _ payload: [UInt8]) {
            bytes +=
                Array("PG".utf8) + big(Int(time * 90_000), 4) + big(0, 4) + [kind] + big(payload.count, 2) + payload
        }
        let (across, down) = (big(width, 2), big(height, 2))
        let place: [UInt8] = big(64, 2) + big(90, 2)
        let window: [UInt8] = [1, 0] + place + across + down
        let object: [UInt8] = [0, 0, 0, 0] + place
        func composition(_ number: Int, _ objects: [UInt8]) -> [UInt8] {
            let state: [UInt8] = objects.isEmpty ? [0, 0, 0, 0] : [0x80, 0, 0, 1]
            return big(192, 2) + big(108, 2) + [0x10] + big(number, 2) + state + objects
        }
        // A run of colour 1 as long as a line, and the line's end.
        let line: [UInt8] = [0, 0x80 | UInt8(width), 1, 0, 0]
        let pixels = [[UInt8]](repeating: line, count: height).flatMap { $0 }
        let frame: [UInt8] = [0, 0, 0, 0xC0] + big(pixels.count + 4, 3) + across + down + pixels
        for (number, time) in times.enumerated() {
            segment(0x16, time.lowerBound, composition(2 * number, object))
            segment(0x17, time.lowerBound, window)
            segment(0x14, time.lowerBound, [0, 0, 1, 235, 128, 128, 255])
            segment(0x15, time.lowerBound, frame)
            segment(0x80, time.lowerBound, [])
            segment(0x16, time.upperBound, composition(2 * number + 1, []))
            segment(0x17, time.upperBound, window)
            segment(0x80, time.upperBound, [])
        }
        return bytes
    }
}
