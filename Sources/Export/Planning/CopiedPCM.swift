import Encoding
import GStreamer

/// PCM that is copied: as it is, or where the container holds it in another order of bytes or with another sign only, in that form, which loses nothing.
struct CopiedPCM {
    /// As GStreamer calls the samples' form; nil where they are written as they are.
    private let format: String?

    /// What WAV holds (Microsoft, "Multiple Channel Audio Data and WAVE Files"): low bytes first, and bytes by themselves without a sign.
    private static let wave: Set = ["U8", "S16LE", "S24LE", "S32LE", "F32LE", "F64LE"]

    /// - Parameter muxer: what the container's muxer takes; empty of one that has none.
    /// - Returns: nil for what is no PCM, or cannot be in the container without a loss.
    init?(_ caps: Caps, in container: Container, muxer: [Caps]) {
        guard let media = caps.first, media.name == "audio/x-raw", let own = media["format"]?.stringValue,
            ContainerRules.allows(.pcm, in: container)
        else { return nil }
        func isHeld(_ format: String) -> Bool {
            if container == .wav { return Self.wave.contains(format) }
            let other = Caps(media.name, media.fields.merging(["format": .string(format)]) { $1 })
            return muxer.contains { $0.canIntersect(other) }
        }
        let other = own == "S8" ? "U8" : own == "U8" ? "S8" : own.replacing("BE", with: "LE")
        guard let format = [own, other].first(where: isHeld) else { return nil }
        self.format = format == own ? nil : format
    }

    var nodes: [PipelineDescription.Node] {
        format.map {
            [.make("audioconvert", ["dithering": "none"]), .caps(Caps("audio/x-raw", ["format": .string($0)]))]
        } ?? []
    }
}
