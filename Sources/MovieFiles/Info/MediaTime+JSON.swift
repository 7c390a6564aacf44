import MediaTypes

// In the JSON of a movie a time is a number of seconds, as ffprobe's is. These stand before the containers' own methods in what
// the compiler makes of `Codable` in this module.

extension KeyedEncodingContainer {
    mutating func encode(_ time: MediaTime, forKey key: Key) throws { try encode(time.seconds, forKey: key) }
}

extension KeyedDecodingContainer {
    func decode(_: MediaTime.Type, forKey key: Key) throws -> MediaTime {
        MediaTime(seconds: try decode(Double.self, forKey: key))
    }
}

extension MediaTime {
    /// So many ticks of a clock with so many in a second, to the nearest nanosecond; cut to ``longest``.
    init(ticks: some BinaryInteger, timescale: some BinaryInteger) {
        self = MediaTime(seconds: Double(ticks) / Double(timescale)).clamped
    }
}
