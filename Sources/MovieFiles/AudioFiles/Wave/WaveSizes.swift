/// The sizes in a WAV file's head, and where they stand: in 32 bits, or as RF64 in 64 (EBU Tech 3306).
struct WaveSizes {
    /// Bytes before the audio.
    var headSize: Int
    var audioSize: UInt64
    var sampleCount: UInt64
    /// Bytes behind the audio.
    var tailSize: Int

    /// Of all that stands behind the first eight bytes.
    private var riffSize: UInt64 { UInt64(headSize - 8) + audioSize + UInt64(tailSize) }
    private var isLarge: Bool { riffSize > UInt64(UInt32.max) }

    /// The first bytes of the file.
    var beginning: [UInt8] {
        var bytes = Array((isLarge ? "RF64" : "RIFF").utf8)
        bytes.append(little: isLarge ? UInt32.max : UInt32(riffSize))
        bytes += Array("WAVE".utf8)
        var large = [UInt8](repeating: 0, count: WaveLayout.largeSizesSize)
        if isLarge {
            large = []
            for size in [riffSize, audioSize, sampleCount] { large.append(little: size) }
            large.append(little: UInt32(0))
        }
        bytes.append(chunk: isLarge ? "ds64" : "JUNK", large)
        return bytes
    }

    /// What stands right before the audio.
    var data: [UInt8] {
        var bytes = Array("data".utf8)
        bytes.append(little: isLarge ? UInt32.max : UInt32(audioSize))
        return bytes
    }
}
