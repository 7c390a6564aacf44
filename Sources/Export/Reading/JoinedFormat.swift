import GStreamer
import MediaTypes

/// What the frames and the audio of all movies are that are joined: those of the first, unless told otherwise.
struct JoinedFormat: Sendable {
    private(set) var video: Caps?
    private(set) var audio: Caps?

    /// Nothing is known yet: frames and audio stay as they are.
    init() {}

    /// - Parameters:
    ///   - video: the first movie's upright frames.
    ///   - audio: the first audio that there is.
    ///   - size: what the frames are scaled into.
    init(video: Caps?, audio: Caps?, size: VideoSize?) {
        self.video = video?.keeping(["format", "width", "height", "pixel-aspect-ratio", "colorimetry"])
        self.audio = audio?.keeping(["format", "layout", "rate", "channels", "channel-mask"])
        guard let size, let own = self.video else { return }
        self.video = own.setting("width", to: .int(Int64(size.width & ~1)))
            .setting("height", to: .int(Int64(size.height & ~1)))
            .setting("pixel-aspect-ratio", to: .fraction(Fraction(1)))
    }

    /// What is shown keeps its proportions: bars are put around it.
    var videoNodes: [PipelineDescription.Node] {
        video.map {
            [
                .make("videoconvertscale", ["add-borders": true, "dither": "none", "method": "lanczos"]), .caps($0),
            ]
        } ?? []
    }

    /// `nil` where audio stays as it is.
    var audioNodes: [PipelineDescription.Node]? {
        audio.map { [.make("audioconvert"), .make("audioresample"), .caps($0)] }
    }
}

extension Caps {
    fileprivate func keeping(_ names: Set<String>) -> Caps? {
        first.map { Caps($0.name, $0.fields.filter { names.contains($0.key) }) }
    }
}
