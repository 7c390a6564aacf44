package import MediaTypes

/// The `iXML` chunk of a WAV file as it is (iXML specification 3.01): scene, take, the names of the channels, and the sample since
/// midnight at which it begins. What is true of another file too is kept, byte by byte; numbers of this one follow.
package struct ProductionSound: Hashable, Sendable {
    private let content: [UInt8]
    private let sampleRate: Int
    private let channels: Int
    /// How much later than the file that it is of another one begins.
    private var delay: MediaTime = .zero

    /// - Parameters:
    ///   - content: of the chunk.
    ///   - sampleRate: of the file, in samples of each channel a second.
    /// - Returns: nil where nothing is said, and where the file's audio is not described.
    init?(_ content: [UInt8], sampleRate: Int, channels: Int) {
        guard !content.isEmpty, sampleRate > 0, channels > 0 else { return nil }
        (self.content, self.sampleRate, self.channels) = (content, sampleRate, channels)
    }

    /// The same for a file that begins that much later.
    ///
    /// - Parameters:
    ///   - rate: of that file; nil where it stays.
    ///   - channels: of that file; nil where they stay.
    /// - Returns: nil where it would not be true: each channel has its name, and points for synchronisation are counted from either the
    ///   file's beginning or midnight.
    package func later(by delay: MediaTime, rate: Int?, channels: Int?) -> ProductionSound? {
        guard (channels ?? self.channels) == self.channels else { return nil }
        let isMoved = delay != .zero || (rate ?? sampleRate) != sampleRate
        guard !isMoved || content.firstRange(of: "<SYNC_POINT>".utf8) == nil else { return nil }
        var own = self
        own.delay = delay
        return own
    }

    /// The chunk's content for audio of that kind.
    func content(sampleRate rate: Int, bits: Int) -> [UInt8] {
        var bytes = content
        bytes.replace("FILE_SAMPLE_RATE", rate)
        bytes.replace("AUDIO_BIT_DEPTH", bits)
        // Whose unit is told beside it, and stays.
        let unit = bytes.number("TIMESTAMP_SAMPLE_RATE").flatMap { $0 > 0 ? $0 : nil }
        let time = "TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_"
        move(time + "HI", time + "LO", of: &bytes, from: unit ?? sampleRate, to: unit ?? rate)
        move("BWF_TIME_REFERENCE_HIGH", "BWF_TIME_REFERENCE_LOW", of: &bytes, from: sampleRate, to: rate)
        return bytes
    }

    /// A count of samples in two halves of 32 bits.
    private func move(_ high: String, _ low: String, of bytes: inout [UInt8], from old: Int, to new: Int) {
        guard old != new || delay != .zero, let upper = bytes.number(high), let lower = bytes.number(low) else {
            return
        }
        let begin = Double(upper << 32 | lower) / Double(old) + delay.seconds
        let moved = Int(max(0, min(begin * Double(new), 1e18)).rounded())
        bytes.replace(high, moved >> 32)
        bytes.replace(low, moved & 0xFFFF_FFFF)
    }
}

extension [UInt8] {
    /// Where the text of the first element of a name lies; nil where there is none, or elements are in it.
    fileprivate func text(of name: String) -> Range<Int>? {
        guard let begin = firstRange(of: "<\(name)>".utf8)?.upperBound,
            let end = self[begin...].firstIndex(of: UInt8(ascii: "<")),
            self[end...].starts(with: "</\(name)>".utf8)
        else { return nil }
        return begin..<end
    }

    /// That text as a number; nil for what is none of 32 bits.
    fileprivate func number(_ name: String) -> Int? {
        text(of: name).flatMap { UInt32(String(decoding: self[$0], as: UTF8.self)) }.map(Int.init)
    }

    fileprivate mutating func replace(_ name: String, _ value: Int) {
        guard number(name) != nil, let place = text(of: name) else { return }
        replaceSubrange(place, with: String(value).utf8)
    }
}
