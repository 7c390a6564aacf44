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
