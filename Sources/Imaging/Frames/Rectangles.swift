import MediaTypes

/// A rectangle of whole pixels of luma; may be odd, and reach beyond the frame.
package struct PixelRectangle: Sendable, Hashable {
    package var x, y, width, height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    var right: Int { x + width }
    var bottom: Int { y + height }
    var isEmpty: Bool { width <= 0 || height <= 0 }

    func intersection(_ other: Self) -> Self {
        let (left, top) = (max(x, other.x), max(y, other.y))
        return Self(x: left, y: top, width: min(right, other.right) - left, height: min(bottom, other.bottom) - top)
    }

    func contains(_ other: Self) -> Bool { intersection(other) == other }
    func overlaps(_ other: Self) -> Bool { !intersection(other).isEmpty }
}

/// A rectangle within a frame, in pixels of luma, which may be fractions of them.
package struct CropRectangle: Sendable, Hashable {
    package var x, y, width, height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// What of it lies in a frame of this size.
    func cut(to size: VideoSize) -> CropRectangle {
        let (left, top) = (max(x, 0), max(y, 0))
        return CropRectangle(
            x: left, y: top, width: min(x + width, Double(size.width)) - left,
            height: min(y + height, Double(size.height)) - top)
    }
}
