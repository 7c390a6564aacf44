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

    /// The smallest that has both in it.
    package func union(_ other: Self) -> Self {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return Self(x: left, y: top, width: max(right, other.right) - left, height: max(bottom, other.bottom) - top)
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

/// A part of a frame, each from 0 to 1 of its width or height.
package struct FrameArea: Sendable, Hashable {
    package var x, y, width, height: Double

    /// All of it.
    package static let whole = FrameArea()

    private init() { (x, y, width, height) = (0, 0, 1, 1) }

    /// - Returns: nil for what does not lie in the frame, or is nothing.
    package init?(x: Double, y: Double, width: Double, height: Double) {
        let slack = 1e-9
        guard x >= 0, y >= 0, width > 0, height > 0, x + width <= 1 + slack, y + height <= 1 + slack else { return nil }
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// Somewhat on the way to another, from 0 to 1.
    package func moved(to other: FrameArea, by share: Double) -> FrameArea {
        func between(_ one: Double, _ other: Double) -> Double { one + (other - one) * share }
        var area = self
        (area.x, area.y) = (between(x, other.x), between(y, other.y))
        (area.width, area.height) = (between(width, other.width), between(height, other.height))
        return area
    }
}
