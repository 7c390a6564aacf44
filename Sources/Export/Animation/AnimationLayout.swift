import AnimatedImages
import GStreamer
import MediaTypes

/// What the frames are that become an animated image.
struct AnimationLayout: Sendable {
    let frames: VideoFrameLayout
    let format: AnimationFormat

    /// - Returns: nil for a format that is not taken.
    init?(_ caps: Caps) {
        guard let frames = VideoFrameLayout(caps), let color = Colorimetry(caps),
            let format = AnimationFormat(
                frames.format, width: frames.size.width, height: frames.size.height, matrix: color.matrix,
                isFullRange: color.isFullRange)
        else { return nil }
        (self.frames, self.format) = (frames, format)
    }
}
