import GStreamer
import MovieFiles

/// One track's packets are the file: there is no muxer that would want them elsewhere.
extension AudioFileWriter: MovieBytesWriter {
    func append(_ bytes: UnsafeRawBufferPointer, at offset: UInt64?) throws(MovieFileError) { try append(bytes) }

    func finish(chapters: [MovieInfo.Chapter], isWhole: Bool) throws(MovieFileError) -> FinishedMovie {
        try finish(chapters: chapters)
    }
}

extension Caps {
    /// What samples are, or what was encoded, as far as it is told.
    var pcmFormat: PCMFormat? {
        guard let format = first, let rate = format["rate"]?.intValue, let channels = format["channels"]?.intValue
        else { return nil }
        let name = format["format"]?.stringValue ?? ""
        let bits = Int(name.dropFirst().prefix { $0.isNumber }) ?? 0
        let mask = format["channel-mask"]?.intValue ?? 0
        return PCMFormat(
            sampleRate: rate, channels: channels, bits: bits, isFloat: name.hasPrefix("F"),
            channelMask: UInt32(truncatingIfNeeded: mask))
    }
}
