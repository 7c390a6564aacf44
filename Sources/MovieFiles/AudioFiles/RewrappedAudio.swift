package import MediaTypes
package import SystemPackage

/// Audio that GStreamer's demuxers (1.22) do not read as it is, as another file that is made as it is read.
package enum RewrappedAudio: Sendable, Hashable {
    case companded(CompandedAIFF)
    case latm(BareLATM)
    case retimedOgg(RetimedOgg)
    case paddedWave(PaddedWave)
    case wave64(Wave64)

    /// - Returns: nil for any other file.
    /// - Throws: `system` where it cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        if let audio = try CompandedAIFF(reading: path) {
            self = .companded(audio)
        } else if let audio = try RetimedOgg(reading: path) {
            self = .retimedOgg(audio)
        } else if let audio = try PaddedWave(reading: path) {
            self = .paddedWave(audio)
        } else if let audio = try Wave64(reading: path) {
            self = .wave64(audio)
        } else if let audio = try BareLATM(reading: path) {
            self = .latm(audio)
        } else {
            return nil
        }
    }

    /// What it is made, in GStreamer's words.
    package var mediaType: String {
        switch self {
        case .companded, .paddedWave, .wave64: "audio/x-wav"
        case .latm: "audio/mpeg"
        case .retimedOgg: "application/ogg"
        }
    }

    /// Of its audio; nil where it does not tell.
    package var duration: MediaTime? {
        switch self {
        case .companded(let audio): audio.duration
        case .retimedOgg(let audio): audio.duration
        case .paddedWave(let audio): audio.duration
        case .wave64(let audio): audio.duration
        case .latm: nil
        }
    }

    /// Hands out its bytes in order, a piece at a time, until the closure returns false. Blocks.
    ///
    /// - Parameter path: of the file that it was read of.
    /// - Throws: `system` where it cannot be read.
    package func forEachPiece(of path: FilePath, _ body: ([UInt8]) -> Bool) throws(MovieFileError) {
        switch self {
        case .companded(let audio): try audio.forEachPiece(of: path, body)
        case .retimedOgg(let audio): try audio.forEachPiece(of: path, body)
        case .paddedWave(let audio): try audio.forEachPiece(of: path, body)
        case .wave64(let audio): try audio.forEachPiece(of: path, body)
        case .latm(let audio): try audio.forEachPiece(of: path, body)
        }
    }
}
