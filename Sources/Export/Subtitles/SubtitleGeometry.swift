import GStreamer
import Imaging
import MediaTypes
import Subtitles

/// What lies between a decoder's frames and those that subtitles are drawn into: nothing but edges, turns and sizes.
struct SubtitleGeometry: Sendable {
    /// The decoder's frames, as they are stored.
    private let stored: VideoSize
    private let storedAspect: Double
    private let crop: CropArea?
    /// How people see the decoder's frames, and those that are drawn into.
    private let orientation: MovieOrientation
    let drawn: MovieOrientation

    /// - Parameters:
    ///   - caps: of the decoder's frames.
    ///   - isTurned: whether the frames are turned upright before they are drawn into.
    init(_ caps: Caps, crop: CropArea?, _ orientation: MovieOrientation, isTurned: Bool) {
        let format = caps.first
        stored = VideoSize(format?["width"]?.intValue ?? 1, format?["height"]?.intValue ?? 1)
        storedAspect = Self.aspect(caps)
        (self.crop, self.orientation, drawn) = (crop, orientation, isTurned ? .upright : orientation)
    }

    /// What subtitles are drawn on.
    ///
    /// - Parameter caps: of the frames that are drawn into.
    func canvas(_ caps: Caps, size: VideoSize, _ light: OverlayLight) -> SubtitleCanvas {
        func seen(_ size: VideoSize, _ aspect: Double, _ orientation: MovieOrientation) -> (VideoSize, Double) {
            orientation.swapsWidthAndHeight ? (VideoSize(size.height, size.width), 1 / aspect) : (size, aspect)
        }
        let (source, sourceAspect) = seen(stored, storedAspect, orientation)
        let (target, aspect) = seen(size, Self.aspect(caps), drawn)
        var rest = PixelRectangle(x: 0, y: 0, width: source.width, height: source.height)
        // The edges of frames that are turned are told as they are stored.
        if let crop, orientation == .upright {
            rest = PixelRectangle(x: crop.x, y: crop.y, width: crop.size.width, height: crop.size.height)
        }
        return SubtitleCanvas(
            size: target, pixelAspect: aspect, source: source, sourceAspect: sourceAspect, crop: rest, light: light)
    }

    private static func aspect(_ caps: Caps) -> Double {
        let aspect = caps.first?["pixel-aspect-ratio"]?.fractionValue?.doubleValue ?? 1
        return aspect > 0 && aspect.isFinite ? aspect : 1
    }
}
