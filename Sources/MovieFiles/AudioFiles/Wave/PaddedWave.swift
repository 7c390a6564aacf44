package import MediaTypes
package import SystemPackage

/// WAV of which GStreamer's demuxer (1.22) gives nothing, or not all.
///
/// - It may end with up to seven bytes that are no chunk: with the one that fills up audio of an odd number of bytes, as half of all in one channel
///   of 24 bits has, or with some that an editor left. The demuxer looks for another chunk there, and gives nothing where there is none.
/// - Its audio may be a stream of packets, such as MP3 and AC-3, whose last bytes are no whole block of the size that its head tells: the demuxer leaves
///   them out, as they would be no whole sample of PCM. It is told blocks of one byte.
/// - A-law and µ-law in WAVE's extensible format have neither rate nor channels there: it is told their own numbers.
package struct PaddedWave: Sendable, Hashable {
    /// Of the audio; nil where its format does not tell.
    package let duration: MediaTime?
    /// Without what fills it up, in bytes.
    private let size: UInt64
    /// What it is told in the place of the file's own bytes, which would mislead it.
    private let told: [UInt64: UInt8]

    private static let pieceSize = 1 << 16
    /// MPEG audio, AC-3 and AAC by their numbers in WAVE.
    static let streamed: Set<UInt64> = [0x50, 0x55, 0x2000, 0xFF]
    /// A-law and µ-law.
    private static let companded: Set<UInt64> = [6, 7]

    /// - Returns: nil for any other file.
    /// - Throws: `system` where it cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) -> PaddedWave? in
            guard var chunks = try WaveChunks(file) else { return nil }
            var (format, formatPlace, audio, end) = ([UInt8](), 0 as UInt64, nil as UInt64?, 0 as UInt64)
            while let chunk = try chunks.next() {
                if chunk.name == "fmt " {
                    (format, formatPlace) = (try chunks.content(of: chunk, atMost: 26), chunk.place)
                }
                guard chunk.size < file.size, chunk.place + chunk.size <= file.size else { return nil }
                end = chunk.place + chunk.size
                if chunk.name == "data" { audio = chunk.size } else { end += chunk.size % 2 }
            }
            guard let audio else { return nil }
            let isPadded = end < file.size && file.size - end < 8
            let told = Self.told(format, audio)
            guard isPadded || !told.isEmpty else { return nil }
            return PaddedWave(
                duration: Self.duration(format, audio), size: isPadded ? end : file.size,
                told: Dictionary(uniqueKeysWithValues: told.map { (formatPlace + $0, $1) }))
        }
        guard let found else { return nil }
        self = found
    }

    private init(duration: MediaTime?, size: UInt64, told: [UInt64: UInt8]) {
        (self.duration, self.size, self.told) = (duration, size, told)
    }

    /// What is told of a format, by place in it: a number of its codec's own, or a block of one byte.
    private static func told(_ format: [UInt8], _ size: UInt64) -> [(UInt64, UInt8)] {
        if format.count == 26, WaveChunks.number(format, 0, 2) == 0xFFFE,
            companded.contains(WaveChunks.number(format, 24, 2))
        {
            return [(0, format[24]), (1, 0)]
        }
        return isCut(format, size) ? [(12, 1), (13, 0)] : []
    }

    /// Whether the last packets are no whole block.
    private static func isCut(_ format: [UInt8], _ size: UInt64) -> Bool {
        guard format.count >= 16, streamed.contains(WaveChunks.number(format, 0, 2)) else { return false }
        let block = WaveChunks.number(format, 12, 2)
        return block > 1 && size % block != 0
    }

    /// Of PCM and floating point: samples a second stand in the fifth byte, bytes of a sample of each channel in the thirteenth.
    static func duration(_ format: [UInt8], _ size: UInt64) -> MediaTime? {
        guard format.count >= 16, [1, 3, 0xFFFE].contains(WaveChunks.number(format, 0, 2)) else { return nil }
        let (rate, frame) = (WaveChunks.number(format, 4, 4), WaveChunks.number(format, 12, 2))
        guard rate > 0, frame > 0 else { return nil }
        return MediaTime(seconds: Double(size / frame) / Double(rate))
    }

    /// Hands out its bytes in order, a piece at a time, until the closure returns false. Blocks.
    ///
    /// - Parameter path: of the file that it was read of.
    /// - Throws: `system` where it cannot be read.
    package func forEachPiece(of path: FilePath, _ body: ([UInt8]) -> Bool) throws(MovieFileError) {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in
            var place: UInt64 = 0
            while place < size {
                var piece = try file.read(upTo: Int(min(UInt64(Self.pieceSize), size - place)), at: place)
                for (at, byte) in told where at >= place && at - place < piece.count {
                    piece[Int(at - place)] = byte
                }
                guard !piece.isEmpty, body(piece) else { return }
                place += UInt64(piece.count)
            }
        }
    }
}
