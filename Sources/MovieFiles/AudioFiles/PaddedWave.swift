package import MediaTypes
package import SystemPackage

/// WAV whose samples have an odd number of bytes, as half of all in one channel of 24 bits, and that ends with the byte that fills the chunk up.
///
/// GStreamer's demuxer (1.22) looks for another chunk there, and gives nothing of the file where there is none.
package struct PaddedWave: Sendable, Hashable {
    /// Of the audio; nil where its format does not tell.
    package let duration: MediaTime?
    /// Without what fills it up, in bytes.
    private let size: UInt64

    private static let mostChunks = 1000
    private static let pieceSize = 1 << 16

    /// - Returns: nil for any other file.
    /// - Throws: `system` where it cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) -> PaddedWave? in
            let head = try file.read(upTo: 12, at: 0)
            guard head.starts(with: "RIFF".utf8), head.dropFirst(8).elementsEqual("WAVE".utf8) else { return nil }
            var (place, format) = (UInt64(12), [UInt8]())
            for _ in 0..<Self.mostChunks {
                let chunk = try file.read(upTo: 8, at: place)
                guard chunk.count == 8 else { return nil }
                let size = Self.number(chunk[4...])
                if chunk.starts(with: "fmt ".utf8) { format = try file.read(upTo: 16, at: place + 8) }
                if chunk.starts(with: "data".utf8) {
                    guard size % 2 == 1, place + 8 + size + 1 == file.size else { return nil }
                    return PaddedWave(duration: Self.duration(format, size), size: file.size - 1)
                }
                place += 8 + size + size % 2
            }
            return nil
        }
        guard let found else { return nil }
        self = found
    }

    private init(duration: MediaTime?, size: UInt64) { (self.duration, self.size) = (duration, size) }

    /// Of PCM and floating point: samples a second stand in the fifth byte, bytes of a sample of each channel in the thirteenth.
    private static func duration(_ format: [UInt8], _ size: UInt64) -> MediaTime? {
        guard format.count == 16, [1, 3, 0xFFFE].contains(number(format[..<2])) else { return nil }
        let (rate, frame) = (number(format[4..<8]), number(format[12..<14]))
        guard rate > 0, frame > 0 else { return nil }
        return MediaTime(seconds: Double(size / frame) / Double(rate))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
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
