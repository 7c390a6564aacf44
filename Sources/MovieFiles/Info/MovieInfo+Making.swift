package import MediaTypes

extension MovieInfo {
    /// A movie of another container, described by whoever can read it.
    package init(path: String, container: String, duration: MediaTime, size: UInt64) {
        self.init(
            path: path, container: container, fragmented: false, complete: true, duration: duration, size: size,
            bitRate: Self.bitRate(size: size, duration: duration), creationDate: nil, make: nil, model: nil,
            software: nil, location: nil, title: nil, description: nil, keywords: nil, chapters: [], video: [],
            audio: [])
    }
}

extension MovieInfo.Video {
    /// A track shown as it is stored; the rest is set afterwards.
    package init(codec: String, codecTag: String, width: Int, height: Int, frameCount: Int, duration: MediaTime) {
        self.init(
            codec: codec, profile: nil, codecTag: codecTag, width: width, height: height, displayWidth: width,
            displayHeight: height, rotation: 0, mirrored: false, frameRate: nil, frameCount: frameCount, bitDepth: nil,
            chroma: nil, bitRate: nil, duration: duration, colorPrimaries: nil, transfer: nil, matrix: nil, range: nil)
    }
}

extension MovieInfo.Audio {
    /// An audio track; its bit rate is set afterwards.
    package init(codec: String, codecTag: String, channels: Int, sampleRate: Int, duration: MediaTime) {
        self.init(
            codec: codec, codecTag: codecTag, channels: channels, sampleRate: sampleRate, duration: duration,
            bitRate: nil)
    }
}

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
