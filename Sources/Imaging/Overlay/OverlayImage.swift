package import MediaTypes

/// What is drawn over a part of a frame: red, green and blue, and how much of each pixel they cover.
///
/// Colors are kept multiplied by that, so that one image is laid over another, scaled and averaged without seams.
package struct OverlayImage: Sendable, Hashable {
    /// Where it lies in the frame, as people see it; may reach beyond the frame.
    package private(set) var area: PixelRectangle
    /// Four values a pixel, row by row, each from 0 to 1: red, green, blue and coverage.
    private(set) var pixels: [Float]

    /// Covers nothing at first.
    package init(_ area: PixelRectangle) {
        self.area = area
        pixels = [Float](repeating: 0, count: 4 * max(0, area.width) * max(0, area.height))
    }

    /// Lays a color over it.
    ///
    /// - Parameters:
    ///   - mask: how much of each pixel of the rectangle is covered, 0 to 255.
    ///   - opacity: of what is covered, from 0 to 1.
    package mutating func cover(
        _ rectangle: PixelRectangle, mask: UnsafePointer<UInt8>, bytesPerRow: Int, color: FrameColor, opacity: Double
    ) {
        let common = area.intersection(rectangle)
        guard !common.isEmpty, opacity > 0 else { return }
        let ink = SIMD4<Float>(Float(color.red), Float(color.green), Float(color.blue), 1)
        let share = Float(opacity) / 255
        pixels.withUnsafeMutableBufferPointer { pixels in
            for y in common.y..<common.bottom {
                let source = mask + (y - rectangle.y) * bytesPerRow - rectangle.x
                var place = 4 * ((y - area.y) * area.width + common.x - area.x)
                for x in common.x..<common.right {
                    if source[x] > 0 {
                        let cover = Float(source[x]) * share
                        for part in 0..<4 {
                            pixels[place + part] = pixels[place + part] * (1 - cover) + ink[part] * cover
                        }
                    }
                    place += 4
                }
            }
        }
    }

    /// Lays another over it.
    package mutating func cover(_ other: OverlayImage) {
        let common = area.intersection(other.area)
        guard !common.isEmpty else { return }
        for y in common.y..<common.bottom {
            var place = 4 * ((y - area.y) * area.width + common.x - area.x)
            var source = 4 * ((y - other.area.y) * other.area.width + common.x - other.area.x)
            for _ in common.x..<common.right {
                let cover = other.pixels[source + 3]
                for part in 0..<4 {
                    pixels[place + part] = pixels[place + part] * (1 - cover) + other.pixels[source + part]
                }
                (place, source) = (place + 4, source + 4)
            }
        }
    }

    /// An image of colors by number.
    ///
    /// - Parameters:
    ///   - indices: of each pixel of the area.
    ///   - palette: by number, with how much each covers; what is not in it covers nothing.
    package init(
        _ area: PixelRectangle, indices: UnsafePointer<UInt8>, bytesPerRow: Int,
        palette: [(color: FrameColor, opacity: Double)]
    ) {
        self.init(area)
        let inks = palette.map { color, opacity in
            SIMD4<Float>(Float(color.red), Float(color.green), Float(color.blue), 1) * Float(opacity)
        }
        for y in 0..<max(0, area.height) {
            for x in 0..<max(0, area.width) {
                let index = Int(indices[y * bytesPerRow + x])
                guard inks.indices.contains(index) else { continue }
                for part in 0..<4 { pixels[4 * (y * area.width + x) + part] = inks[index][part] }
            }
        }
    }

    /// The same in another place and size: smaller by the mean of areas, larger by interpolation.
    package func scaled(to target: PixelRectangle) -> OverlayImage {
        guard !area.isEmpty, !target.isEmpty else { return OverlayImage(target) }
        guard target.width != area.width || target.height != area.height else {
            var moved = self
            moved.area = target
            return moved
        }
        var rows = OverlayImage(PixelRectangle(x: 0, y: 0, width: target.width, height: area.height))
        for (x, taps) in Self.taps(from: area.width, to: target.width).enumerated() {
            for y in 0..<area.height {
                for (tap, weight) in taps.weights.enumerated() {
                    let source = 4 * (y * area.width + taps.first + tap)
                    for part in 0..<4 {
                        rows.pixels[4 * (y * target.width + x) + part] += pixels[source + part] * weight
                    }
                }
            }
        }
        var result = OverlayImage(target)
        let length = 4 * target.width
        for (y, taps) in Self.taps(from: area.height, to: target.height).enumerated() {
            for (tap, weight) in taps.weights.enumerated() {
                let source = (taps.first + tap) * length
                for place in 0..<length { result.pixels[y * length + place] += rows.pixels[source + place] * weight }
            }
        }
        return result
    }

    private static func taps(from length: Int, to count: Int) -> [(first: Int, weights: [Float])] {
        let span = ResamplingSpan(
            origin: 0, step: Double(length) / Double(count), count: count, lower: 0, upper: Double(length))
        return (0..<count).map { index in
            let (first, weights) = span.taps(index)
            let sum = weights.reduce(0, +)
            return (first, weights.map { Float($0 / sum) })
        }
    }

    /// The same in a frame that players turn: where it has to lie in the stored frame to be seen upright.
    ///
    /// - Parameters:
    ///   - orientation: how players show the stored frame.
    ///   - size: of the stored frame.
    package func stored(_ orientation: MovieOrientation, in size: VideoSize) -> OverlayImage {
        guard orientation != .upright else { return self }
        let seen = orientation.swapsWidthAndHeight ? VideoSize(size.height, size.width) : size
        let corners = [(area.x, area.y), (area.right - 1, area.bottom - 1)].map {
            orientation.inverse.place(of: $0, in: seen)
        }
        let (one, other) = (corners[0], corners[1])
        var result = OverlayImage(
            PixelRectangle(
                x: min(one.x, other.x), y: min(one.y, other.y), width: abs(one.x - other.x) + 1,
                height: abs(one.y - other.y) + 1))
        for y in 0..<result.area.height {
            for x in 0..<result.area.width {
                let place = orientation.place(of: (result.area.x + x, result.area.y + y), in: size)
                let source = 4 * ((place.y - area.y) * area.width + place.x - area.x)
                for part in 0..<4 { result.pixels[4 * (y * result.area.width + x) + part] = pixels[source + part] }
            }
        }
        return result
    }
}

extension MovieOrientation {
    /// Where a pixel of a frame of a size is seen.
    fileprivate func place(of pixel: (x: Int, y: Int), in size: VideoSize) -> (x: Int, y: Int) {
        let (x, y) = (isMirrored ? size.width - 1 - pixel.x : pixel.x, pixel.y)
        return switch rotation {
        case .none: (x, y)
        case .quarter: (size.height - 1 - y, x)
        case .half: (size.width - 1 - x, size.height - 1 - y)
        case .threeQuarters: (y, size.width - 1 - x)
        }
    }
}
