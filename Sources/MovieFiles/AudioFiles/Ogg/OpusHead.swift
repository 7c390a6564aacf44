/// What Opus in Ogg begins with (RFC 7845, section 5.1).
package struct OpusHead: Sendable {
    package var channels: Int
    /// Of what was encoded, a second; decoders need not know it.
    package var sampleRate: Int
    /// Samples at 48 kHz before the first that is presented: libopus' delay, unless another one is told.
    package var preSkip = 312

    package init(channels: Int, sampleRate: Int) { (self.channels, self.sampleRate) = (channels, sampleRate) }

    /// For three channels and more: streams, those of them with two channels, and which of their channels each output channel is, as opusenc
    /// (GStreamer 1.22) encodes them.
    private static let mappings: [Int: (streams: UInt8, coupled: UInt8, mapping: [UInt8])] = [
        3: (2, 1, [0, 2, 1]), 4: (2, 2, [0, 1, 2, 3]), 5: (3, 2, [0, 4, 1, 2, 3]), 6: (4, 2, [0, 4, 1, 2, 3, 5]),
        7: (4, 3, [0, 4, 1, 2, 3, 5, 6]), 8: (5, 3, [0, 6, 1, 4, 5, 2, 3, 7]),
    ]

    package var bytes: [UInt8] {
        var bytes = Array("OpusHead".utf8) + [1, UInt8(clamping: channels)]
        bytes.append(little: UInt16(clamping: preSkip))
        bytes.append(little: UInt32(clamping: sampleRate))
        bytes.append(little: UInt16(0))
        guard let (streams, coupled, mapping) = Self.mappings[channels] else { return bytes + [0] }
        return bytes + [1, streams, coupled] + mapping
    }
}
