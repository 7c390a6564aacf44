package import MediaTypes
package import SystemPackage

/// AIFF-C whose audio is A-law or µ-law (Apple, "Audio Interchange File Format AIFF-C"), as a WAVE file: GStreamer's reader of AIFF (1.22) knows
/// neither, and their bytes are the same there.
package struct CompandedAIFF: Sendable, Hashable {
    private let common: Common
    /// Where the samples lie.
    private let samples: Range<UInt64>
    package let duration: MediaTime

    private static let pieceSize = 1 << 18
    /// More than any chunk lies before the samples, beside what is passed over.
    private static let maximumCount = 1000

    /// - Returns: nil for any other file.
    /// - Throws: `system` where it cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in try Self.find(file) }
        guard let (common, samples) = found else { return nil }
        (self.common, self.samples, duration) = (common, samples, common.duration(of: samples.count))
    }

    package var channels: Int { Int(common.channels) }
    /// Frames a second.
    package var rate: Int { Int(common.rate) }
    /// As ffprobe calls it.
    package var codec: String { common.format == Common.aLaw ? "pcm_alaw" : "pcm_mulaw" }

    /// What the file says of its samples.
    private struct Common: Hashable {
        static let (aLaw, muLaw): (UInt16, UInt16) = (6, 7)

        var channels: UInt16
        var rate: UInt32
        /// By its number in WAVE.
        var format: UInt16

        /// - Parameter data: a `COMM` chunk of AIFF-C.
        init?(_ data: [UInt8]) {
            guard data.count >= 22, let channels = UInt16(bigEndianBytes: data[0..<2]), channels > 0,
                // 80 bits of extended precision: sign and exponent, then the number's own bits.
                let exponent = UInt16(bigEndianBytes: data[8..<10]),
                let mantissa = UInt64(bigEndianBytes: data[10..<18]),
                (16_383..<16_383 + 32).contains(exponent)
            else { return nil }
            switch String(decoding: data[18..<22], as: UTF8.self).lowercased() {
            case "alaw": format = Self.aLaw
            case "ulaw": format = Self.muLaw
            default: return nil
            }
            (self.channels, rate) = (channels, UInt32(mantissa >> UInt64(16_383 + 63 - exponent)))
            guard rate > 0 else { return nil }
        }

        func duration(of bytes: Int) -> MediaTime { MediaTime(samples: bytes / Int(channels), rate: Int(rate)) }

        /// What stands before that many bytes of samples in a WAVE file.
        func header(of bytes: Int) -> [UInt8] {
            func number(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
            func short(_ value: UInt16) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
            let size = UInt32(clamping: bytes)
            return Array("RIFF".utf8) + number(UInt32(clamping: bytes + 38)) + Array("WAVEfmt ".utf8) + number(18)
                + short(format) + short(channels) + number(rate) + number(rate &* UInt32(channels)) + short(channels)
                + short(8) + short(0) + Array("data".utf8) + number(size)
        }
    }

    private static func find(_ file: ReadableFile) throws(MovieFileError) -> (Common, Range<UInt64>)? {
        let head = try file.read(upTo: 12, at: 0)
        guard head.count == 12, head.starts(with: "FORM".utf8), head[8...].elementsEqual("AIFC".utf8) else {
            return nil
        }
        var (place, common, samples): (UInt64, Common?, Range<UInt64>?) = (12, nil, nil)
        for _ in 0..<maximumCount where common == nil || samples == nil {
            let chunk = try file.read(upTo: 8, at: place)
            guard chunk.count == 8, let size = UInt32(bigEndianBytes: chunk[4...]) else { break }
            let begin = place + 8
            if chunk.starts(with: "COMM".utf8) {
                common = Common(try file.read(upTo: Int(min(size, 64)), at: begin))
                if common == nil { return nil }
            } else if chunk.starts(with: "SSND".utf8),
                let offset = UInt32(bigEndianBytes: try file.read(upTo: 4, at: begin)[...])
            {
                // Behind two numbers; a file that is cut off ends where it does.
                let end = min(begin + UInt64(size), file.size)
                let start = begin + 8 + UInt64(offset)
                if start < end { samples = start..<end }
            }
            // Chunks have an even size.
            place = begin + UInt64(size) + UInt64(size & 1)
        }
        guard let common, let samples else { return nil }
        return (common, samples)
    }

    /// Hands out the WAVE file's bytes in order, a piece at a time, until the closure returns false. Blocks.
    ///
    /// - Parameter path: of the file that it was read of.
    /// - Throws: `system` where it cannot be read.
    package func forEachPiece(of path: FilePath, _ body: ([UInt8]) -> Bool) throws(MovieFileError) {
        guard body(common.header(of: samples.count)) else { return }
        try ReadableFile.open(path) { (file) throws(MovieFileError) in
            var place = samples.lowerBound
            while place < samples.upperBound {
                let bytes = try file.read(upTo: min(Self.pieceSize, Int(samples.upperBound - place)), at: place)
                guard !bytes.isEmpty, body(bytes) else { return }
                place += UInt64(bytes.count)
            }
        }
    }
}
