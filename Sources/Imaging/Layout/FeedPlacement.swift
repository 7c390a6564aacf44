package import MediaTypes

/// Where the frame of one feed is drawn in an output, and how: what a ``Layout`` comes to for given sizes.
package struct FeedPlacement: Sendable, Hashable {
    /// The number of the feed, in the order they were given: 0 is the main one.
    package var feed: Int
    /// Where in the output; in pixels of it. Even at rest, unless the layout gives pixels that are not.
    package var rectangle: PixelRectangle
    /// What of the feed's frame, in its own pixels.
    package var crop: CropRectangle
    /// Of the rectangle's corners, in pixels of the output.
    package var cornerRadius: Double = 0
    /// Drawn within the rectangle, in pixels of the output.
    package var borderWidth: Double = 0
    /// How far a shadow spreads around the rectangle, in pixels of the output; 0: none.
    package var shadowRadius: Double = 0
    /// From 0, which is not drawn, to 1.
    package var opacity: Double = 1

    package init(feed: Int, rectangle: PixelRectangle, crop: CropRectangle) {
        (self.feed, self.rectangle, self.crop) = (feed, rectangle, crop)
    }

    /// Whether a frame of this size needs nothing to be done to it to be the output: what else there is can be drawn into it.
    package func isWholeOutput(_ output: VideoSize, frame: VideoSize) -> Bool {
        frame == output && hidesAll(of: output)
            && crop == CropRectangle(x: 0, y: 0, width: Double(frame.width), height: Double(frame.height))
    }

    /// Whether nothing of what lies behind can be seen.
    package func hidesAll(of output: VideoSize) -> Bool {
        opacity >= 1 && cornerRadius == 0
            && rectangle.contains(PixelRectangle(x: 0, y: 0, width: output.width, height: output.height))
    }
}
