import ArgumentParser
import Encoding
import MediaTypes

extension RecordCommand {
    /// Refuses what a file of that kind has no place for: all that is about video, where it holds audio alone.
    ///
    /// - Throws: `ValidationError` with the cure.
    func checkOptions(for container: Container) throws {
        guard !container.holdsVideo else {
            if encoding.bitDepth == 16 || encoding.bitDepth == 24 { throw ValidationError("--bit-depth is 8 or 10.") }
            return
        }
        if let option = videoOptions.first(where: \.isGiven)?.name {
            throw ValidationError(
                "\(container.displayName) holds audio alone; leave \(option) out, or name the file .mov, .mp4 or .mkv.")
        }
        if let bits = encoding.bitDepth, bits != 16, bits != 24 {
            throw ValidationError("--bit-depth of audio alone is 16 or 24.")
        }
    }

    private var videoOptions: [(name: String, isGiven: Bool)] {
        [
            ("--camera", !["default", "none"].contains(sources.camera)), ("--inset", !composition.inset.isEmpty),
            ("--layout", composition.layout != nil), ("--also-separate", composition.alsoSeparate),
            ("--set", !sources.set.isEmpty), ("--size", video.size != nil), ("--rate", video.rate != nil),
            ("--rotation", video.rotation != .degrees(.none)), ("--mirror", video.mirror), ("--lut", video.lut != nil),
            ("--codec", encoding.codec != nil), ("--profile", encoding.profile != nil),
            ("--quality", encoding.quality != nil), ("--bitrate", encoding.bitrate != nil),
            ("--encoder-speed", encoding.encoderSpeed != nil), ("--preview", preview),
        ]
    }
}
