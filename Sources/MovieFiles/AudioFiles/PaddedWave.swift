package import MediaTypes
package import SystemPackage

/// WAV that ends with up to seven bytes that are no chunk: with the one that fills up audio of an odd number of bytes, as half of all in one channel
/// of 24 bits has, or with some that an editor left.
///
/// GStreamer's demuxer (1.22) looks for another chunk there, and gives nothing of the file where there is none.
package struct PaddedWave: Sendable, Hashable {
    /// Of the audio; nil where its format does not tell.
    package let duration: MediaTime?
    /// Without what fills it up, in bytes.
    private let size: UInt64

    private static let pieceSize = 1 << 16

    /// - Returns: nil for any other file.
    /// - Throws: `system` where it cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) -> PaddedWave? in
            guard var chunks = try WaveChunks(file) else { return nil }
            var (format, audio, end) = ([UInt8](), nil as UInt64?, 0 as UInt64)
            while let chunk = try chunks.next() {
                if chunk.name == "fmt " { format = try chunks.content(of: chunk, atMost: 16) }
                guard chunk.size < file.size, chunk.place + chunk.size <= file.size else { return nil }
                end = chunk.place + chunk.size
                if chunk.name == "data" { audio = chunk.size } else { end += chunk.size % 2 }
            }
            guard let audio, end < file.size, file.size - end < 8 else { return nil }
            return PaddedWave(duration: Self.duration(format, audio), size: end)
        }
        guard let found else { return nil }
        self = found
    }

    private init(duration: MediaTime?, size: UInt64) { (self.duration, self.size) = (duration, size) }

    /// Of PCM and floating point: samples a second stand in the fifth byte, bytes of a sample of each channel in the thirteenth.
    private static func duration(_ format: [UInt8], _ size: UInt64) -> MediaTime? {
        guard format.count == 16, [1, 3, 0xFFFE].contains(WaveChunks.number(format, 0, 2)) else { return nil }
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
                let piece = try file.read(upTo: Int(min(UInt64(Self.pieceSize), size - place)), at: place)
                guard !piece.isEmpty, body(piece) else { return }
                place += UInt64(piece.count)
            }
        }
    }
}
