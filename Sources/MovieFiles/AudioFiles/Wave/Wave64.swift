package import MediaTypes
package import SystemPackage

/// Sony's Wave64, in which chunks have GUIDs and sizes of 64 bits (Sony's specification of it), as a WAV file: GStreamer (1.22) does not
/// read it.
package struct Wave64: Sendable, Hashable {
    /// Of the audio; nil where its format does not tell.
    package let duration: MediaTime?
    /// The chunk `fmt `.
    private let format: [UInt8]
    /// Where the samples lie.
    private let samples: Range<UInt64>

    private static let pieceSize = 1 << 18
    /// GUID and size.
    private static let headSize: UInt64 = 24
    private static let mostChunks = 1000
    /// What follows a chunk's four letters in its GUID.
    private static let tail: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]

    /// - Returns: nil for any other file.
    /// - Throws: `system` where it cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in try Self.find(file) }
        guard let found else { return nil }
        self = found
    }

    /// - Parameter told: its format, of 16 bytes or more.
    private init(format told: [UInt8], samples: Range<UInt64>) {
        var format = told
        // See ``PaddedWave``.
        if PaddedWave.streamed.contains(WaveChunks.number(format, 0, 2)) {
            format.replaceSubrange(12..<14, with: [1, 0])
        }
        (self.format, self.samples) = (format, samples)
        duration = PaddedWave.duration(format, UInt64(samples.count))
    }

    private static func find(_ file: ReadableFile) throws(MovieFileError) -> Wave64? {
        let head = try file.read(upTo: 40, at: 0)
        guard head.starts(with: "riff".utf8), head.dropFirst(24).elementsEqual("wave".utf8 + tail) else { return nil }
        var (place, format) = (40 as UInt64, [UInt8]())
        for _ in 0..<mostChunks {
            let head = try file.read(upTo: Int(headSize), at: place)
            let size = WaveChunks.number(head, 16, 8)
            guard head.count == headSize, size >= headSize else { return nil }
            let isKnown = head.dropFirst(4).prefix(12).elementsEqual(tail)
            if isKnown, head.starts(with: "fmt ".utf8) {
                format = try file.read(upTo: Int(min(size - headSize, 1 << 16)), at: place + headSize)
                guard format.count >= 16 else { return nil }
            } else if isKnown, head.starts(with: "data".utf8) {
                // One that was never finished goes on to the end.
                let end = size > file.size - place ? file.size : place + size
                return format.isEmpty || end < place + headSize
                    ? nil : Wave64(format: format, samples: place + headSize..<end)
            }
            // Each begins at a multiple of eight.
            guard size < file.size else { return nil }
            place += (size + 7) / 8 * 8
        }
        return nil
    }

    /// Hands out the WAV file's bytes in order, a piece at a time, until the closure returns false. Blocks.
    ///
    /// - Parameter path: of the file that it was read of.
    /// - Throws: `system` where it cannot be read.
    package func forEachPiece(of path: FilePath, _ body: ([UInt8]) -> Bool) throws(MovieFileError) {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in
            guard body(header) else { return }
            var place = samples.lowerBound
            while place < samples.upperBound {
                let count = Int(min(UInt64(Self.pieceSize), samples.upperBound - place))
                let piece = try file.read(upTo: count, at: place)
                guard !piece.isEmpty, body(piece) else { return }
                place += UInt64(piece.count)
            }
        }
    }

    /// What stands before the samples in a WAV file; of more than it can tell, they go on to the end.
    private var header: [UInt8] {
        var bytes = Array("RIFF".utf8)
        bytes.append(little: UInt32(clamping: samples.count + format.count + format.count % 2 + 20))
        bytes += Array("WAVE".utf8)
        bytes.append(chunk: "fmt ", format)
        bytes += Array("data".utf8)
        bytes.append(little: UInt32(clamping: samples.count))
        return bytes
    }
}
