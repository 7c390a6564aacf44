import MediaTypes

/// How a file is laid out that holds one track of audio and no boxes: a head with what it tells, the audio, perhaps a tail.
protocol AudioFileLayout {
    /// Samples of each channel a second.
    var sampleRate: Int { get }
    /// Samples of each channel that are in the file.
    var sampleCount: Int { get }
    /// Of the audio in the file, in bytes.
    var audioSize: UInt64 { get }

    /// The bytes that go to the file for a packet; none for what is no audio.
    ///
    /// - Parameter duration: of what was encoded into it, where that is known.
    /// - Throws: `unsupported` for what the file cannot hold.
    mutating func bytes(
        for packet: UnsafeRawBufferPointer, lasting duration: MediaTime?
    ) throws(MovieFileError) -> [UInt8]
    /// So many bytes of the last packet are in the file. What of them is not whole does not count.
    mutating func add(written: Int)
    /// What stands before the audio, with the sizes as they are now; always as many bytes.
    func head(_ attributes: AudioFileAttributes, tailSize: Int) -> [UInt8]
    /// What stands behind the audio.
    func tail(_ attributes: AudioFileAttributes) -> [UInt8]
}

/// What a file of audio alone tells about itself.
struct AudioFileAttributes {
    var metadata: MovieMetadata
    var chapters: [MovieInfo.Chapter] = []

    /// Bytes of a text at most: what is longer is no title, nor a description that anyone reads.
    private static let longestText = 60_000

    /// A text as it is written: up to its first zero byte; nil where there is nothing to be said.
    static func text(_ text: String?) -> [UInt8]? {
        let bytes = Array((text ?? "").utf8Prefix(longestText).prefix { $0 != 0 })
        return bytes.isEmpty ? nil : bytes
    }
}

extension MediaTime {
    /// So many samples; as long as can be said, where a damaged head makes hours of them.
    static func lasting(samples: Int, rate: Int) -> MediaTime {
        let rate = rate > 0 ? rate : 1
        return samples / rate < 1_000_000_000
            ? MediaTime(samples: samples, rate: rate) : MediaTime(seconds: 1_000_000_000)
    }
}

extension [UInt8] {
    /// Appends a number with its lowest byte first.
    mutating func append(little value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    /// The number at a place, lowest byte first; nil where the bytes end before.
    func little<Value: FixedWidthInteger>(_ type: Value.Type, at place: Int) -> Value? {
        let end = place + MemoryLayout<Value>.size
        guard place >= 0, end <= count else { return nil }
        return self[place..<end].reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }
}
