import GStreamer
import MediaTypes
import MovieFiles

/// What writes a container's bytes.
protocol MovieBytesWriter: AnyObject {
    var bytesWritten: UInt64 { get }
    /// What it takes to have the file on the disk; `nil` where nothing puts it there.
    var syncs: DiskDelay? { get }
    /// - Parameter offset: where the muxer wants them, where it goes back to what it left open.
    func append(_ bytes: UnsafeRawBufferPointer, at offset: UInt64?) throws(MovieFileError)
    /// - Parameter isWhole: whether the muxer came to its end.
    func finish(chapters: [MovieInfo.Chapter], isWhole: Bool) throws(MovieFileError) -> FinishedMovie
    /// What the file holds where it could not be completed.
    var unfinished: FinishedMovie { get }
    /// Whether that is anything.
    var holdsSamples: Bool { get }
}

extension MovieBytesWriter {
    var holdsSamples: Bool { !unfinished.tracks.isEmpty }
}

extension MovieFileWriter: MovieBytesWriter {
    var holdsSamples: Bool { tracks.contains { $0.sampleCount > 0 } }

    func append(_ bytes: UnsafeRawBufferPointer, at offset: UInt64?) throws(MovieFileError) { try append(bytes) }

    func finish(chapters: [MovieInfo.Chapter], isWhole: Bool) throws(MovieFileError) -> FinishedMovie {
        self.chapters += chapters
        return try finish()
    }
}

extension MatroskaFileWriter: MovieBytesWriter {
    func append(_ bytes: UnsafeRawBufferPointer, at offset: UInt64?) throws(MovieFileError) {
        try append(bytes, at: offset ?? bytesWritten)
    }

    /// Its muxer wants to know chapters before.
    func finish(chapters: [MovieInfo.Chapter], isWhole: Bool) throws(MovieFileError) -> FinishedMovie {
        try finish(isWhole: isWhole)
    }
}

/// One track's packets are the file: there is no muxer that would want them elsewhere.
extension AudioFileWriter: MovieBytesWriter {
    func append(_ bytes: UnsafeRawBufferPointer, at offset: UInt64?) throws(MovieFileError) { try append(bytes) }

    func finish(chapters: [MovieInfo.Chapter], isWhole: Bool) throws(MovieFileError) -> FinishedMovie {
        try finish(chapters: chapters)
    }
}

extension Caps {
    /// The speakers as WAVE counts them; 0 where they have no names there, or would stand in another order.
    private var waveMask: UInt32 {
        guard case .bitmask(let mask)? = first?["channel-mask"] else { return 0 }
        // Places of GStreamer's bits (`GstAudioChannelPosition`) among those of `dwChannelMask` (ksmedia.h).
        let places: [Int: Int] = [
            0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 10: 9, 11: 10, 12: 12, 13: 14, 14: 13, 15: 11, 16: 15,
            17: 17, 20: 16,
        ]
        let named: [Int] = (0..<64).filter { mask >> UInt64($0) & 1 == 1 }.map { places[$0] ?? -1 }
        guard zip(named, named.dropFirst()).allSatisfy({ $0 < $1 }), named.first ?? 0 >= 0 else { return 0 }
        return named.reduce(0) { $0 | 1 << UInt32($1) }
    }

    /// What samples are, or what was encoded, as far as it is told.
    var pcmFormat: PCMFormat? {
        guard let format = first, let rate = format["rate"]?.intValue, let channels = format["channels"]?.intValue
        else { return nil }
        let name = format["format"]?.stringValue ?? ""
        let bits = Int(name.dropFirst().prefix { $0.isNumber }) ?? 0
        return PCMFormat(
            sampleRate: rate, channels: channels, bits: bits, isFloat: name.hasPrefix("F"),
            channelMask: waveMask)
    }
}
