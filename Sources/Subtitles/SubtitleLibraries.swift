package import Errors
package import MovieFiles

/// What draws subtitles: loaded for the first that are drawn, where it is installed.
package enum SubtitleLibraries {
    /// Loads all of them. Blocks.
    ///
    /// - Throws: ``RushesError`` that names the package where something is missing.
    package static func load() throws(RushesError) {
        _ = try LetterLibrary.find()
        _ = try PacketLibrary.find()
    }

    /// Loads what draws these. Blocks.
    ///
    /// - Throws: ``RushesError`` that names the package where something is missing.
    package static func load(for codec: SubtitleStream.Codec) throws(RushesError) {
        if !codec.isBitmap { _ = try LetterLibrary.find() }
        if codec.decoderID != nil { _ = try PacketLibrary.find() }
    }

    static func missing(_ library: String, _ package: String) -> RushesError {
        RushesError(
            .missingPlugin,
            "The subtitles cannot be drawn: \(library) is not installed; install the package \(package).")
    }
}
