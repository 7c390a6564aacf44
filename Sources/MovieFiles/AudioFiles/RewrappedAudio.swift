package import SystemPackage

/// Audio that GStreamer's demuxers (1.22) do not read as it is, as a file of another kind that is made as it is read.
package enum RewrappedAudio: Sendable, Hashable {
    case companded(CompandedAIFF)
    case oggFLAC(OggFLAC)
    case paddedWave(PaddedWave)

    /// - Returns: nil for any other file.
    /// - Throws: `system` where it cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        if let audio = try CompandedAIFF(reading: path) {
            self = .companded(audio)
        } else if let audio = try OggFLAC(reading: path) {
            self = .oggFLAC(audio)
        } else if let audio = try PaddedWave(reading: path) {
            self = .paddedWave(audio)
        } else {
            return nil
        }
    }

    /// What it is made, in GStreamer's words.
    package var mediaType: String {
        switch self {
        case .companded, .paddedWave: "audio/x-wav"
        case .oggFLAC: "audio/x-flac"
        }
    }

    /// Hands out its bytes in order, a piece at a time, until the closure returns false. Blocks.
    ///
    /// - Parameter path: of the file that it was read of.
    /// - Throws: `system` where it cannot be read.
    package func forEachPiece(of path: FilePath, _ body: ([UInt8]) -> Bool) throws(MovieFileError) {
        switch self {
        case .companded(let audio): try audio.forEachPiece(of: path, body)
        case .oggFLAC(let audio): try audio.forEachPiece(of: path, body)
        case .paddedWave(let audio): try audio.forEachPiece(of: path, body)
        }
    }
}
