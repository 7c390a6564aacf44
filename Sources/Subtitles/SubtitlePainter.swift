package import Imaging
package import MediaTypes

/// What is to be seen of subtitles at a time.
package enum SubtitleChange: Sendable {
    /// The same as at the time that was asked for before.
    case none
    /// Something else; nil is nothing.
    case image(OverlayImage?)
}

/// Draws one track of subtitles, one time after another. One thread at a time may use it.
package protocol SubtitlePainter: AnyObject {
    /// - Parameter time: of the movie; the least work is done where times rise.
    func image(at time: MediaTime) -> SubtitleChange
    /// Whether letters were left out for want of a font.
    var lacksLetters: Bool { get }
}

/// The frames that subtitles are drawn into, as people see them.
package struct SubtitleCanvas: Sendable, Hashable {
    /// In pixels.
    package var size: VideoSize
    /// How wide a pixel is, of its height.
    package var pixelAspect: Double
    /// The movie's own frames, before anything was cut off or scaled.
    package var source: VideoSize
    package var sourceAspect: Double
    /// What of those is left.
    package var crop: PixelRectangle
    package var light: OverlayLight

    package init(
        size: VideoSize, pixelAspect: Double, source: VideoSize, sourceAspect: Double, crop: PixelRectangle,
        light: OverlayLight
    ) {
        (self.size, self.pixelAspect, self.light) = (size, pixelAspect, light)
        (self.source, self.sourceAspect, self.crop) = (source, sourceAspect, crop)
    }

    /// Where a rectangle of a screen is in the frames, within their edges if it fits.
    ///
    /// The screen is the movie's frame, but for frames whose black bars were cut off: then both have one width and one middle.
    ///
    /// - Parameter screen: what the rectangle's places count in.
    func place(_ rectangle: PixelRectangle, on screen: VideoSize) -> PixelRectangle {
        let (width, height) = (Double(source.width), Double(source.height))
        let ratio = Double(screen.width) / Double(screen.height)
        let isAll = [width / height, width * sourceAspect / height].contains { abs($0 / ratio - 1) < 0.02 }
        let across = width / Double(screen.width)
        let down = isAll ? height / Double(screen.height) : across * sourceAspect
        let top = (height - Double(screen.height) * down) / 2
        let (scaleX, scaleY) = (Double(size.width) / Double(crop.width), Double(size.height) / Double(crop.height))
        func span(_ begin: Double, _ length: Double, _ limit: Int) -> (Int, Int) {
            let count = min(max(1, Int(length.rounded())), limit)
            return (min(max(0, Int(begin.rounded())), limit - count), count)
        }
        let (x, newWidth) = span(
            (Double(rectangle.x) * across - Double(crop.x)) * scaleX, Double(rectangle.width) * across * scaleX,
            size.width)
        let (y, newHeight) = span(
            (Double(rectangle.y) * down + top - Double(crop.y)) * scaleY, Double(rectangle.height) * down * scaleY,
            size.height)
        return PixelRectangle(x: x, y: y, width: newWidth, height: newHeight)
    }
}
