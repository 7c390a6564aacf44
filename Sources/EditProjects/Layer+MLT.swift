import Imaging
import MediaTypes

/// How a clip becomes what it is in the composed frame: filters that Kdenlive and Shotcut know by their own names.
extension Layer.Clip {
    /// In the order in which they are applied.
    ///
    /// - Parameters:
    ///   - size: of the camera's frame.
    ///   - composed: the composed movie's frame.
    func filters(of size: VideoSize, in composed: VideoSize) -> [XMLElement] {
        // MLT's crop (7.12) does not move: the composed frame's edges cut off what is not seen, then the rest gets its place.
        [enlargements(of: size, in: composed), places].filter { !$0.isEmpty }.map(placement) + edges + fades
    }

    /// A border is what an inner edge leaves of a white frame, and the outer edge cuts that off. MLT's filter is Qt's: melt needs a display
    /// for it, and shows plain rectangles without.
    private var edges: [XMLElement] {
        let hasBorder = steps.contains { $0.placement.borderWidth > 0 }
        guard hasBorder || steps.contains(where: { $0.placement.cornerRadius > 0 }) else { return [] }
        return (hasBorder ? [edge(inside: \.borderWidth, color: "#ffffffff")] : [])
            + [edge(inside: { _ in 0 }, color: "#00000000")]
    }

    /// - Parameters:
    ///   - width: how far it lies within the rectangle.
    ///   - color: of all that is outside of it.
    private func edge(inside width: (FeedPlacement) -> Double, color: String) -> XMLElement {
        let edges = roundedEdges(inside: width)
        let begin = frames.lowerBound
        return filter(
            "qtcrop", kdenlive: "qtcrop", shotcut: "cropRectangle", frames,
            [
                (
                    "rect",
                    animation(edges.rectangles, from: begin) { values in
                        (values.map { Self.text($0, digits: 2) } + ["1"]).joined(separator: " ")
                    }
                ),
                ("radius", animation(edges.radii, from: begin) { Self.text($0[0], digits: 4) }), ("circle", "0"),
                ("color", color),
            ])
    }

    /// A number without digits that it does not need.
    private static func text(_ number: Double, digits: Int) -> String {
        let unit = (0..<digits).reduce(1.0) { unit, _ in unit * 10 }
        let rounded = (number * unit).rounded() / unit
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }

    private func placement(_ keyFrames: [KeyFrame]) -> XMLElement {
        let rectangles = animation(keyFrames, from: frames.lowerBound) { values in
            (values.map { "\(Int($0))" } + ["1"]).joined(separator: " ")
        }
        return filter(
            "affine", kdenlive: "pan_zoom", shotcut: "affineSizePosition", frames,
            [
                ("background", "color:#00000000"), ("transition.fill", "1"), ("transition.distort", "1"),
                ("transition.rect", rectangles),
            ])
    }

    /// Kdenlive knows a clip's opacity only as a fade at its beginning and one at its end.
    private var fades: [XMLElement] {
        let (all, end) = (opacities, frames.upperBound - 1)
        let opaque = all.indices.filter { all[$0].values == [1] }
        guard let first = opaque.first, let last = opaque.last, opaque.count == last - first + 1 else {
            return all.isEmpty ? [] : [fade(all, until: end)]
        }
        return (first > 0 ? [fade(Array(all[...first]), until: all[first].frame)] : [])
            + (last + 1 < all.count ? [fade(Array(all[last...]), until: end)] : [])
    }

    /// - Parameter keyFrames: at least one.
    private func fade(_ keyFrames: [KeyFrame], until end: Int) -> XMLElement {
        let (begin, first) = keyFrames.first.map { ($0.frame, $0.values) } ?? (frames.lowerBound, [1])
        let isIn = first.lexicographicallyPrecedes(keyFrames.last?.values ?? [])
        let opacity = animation(keyFrames, from: begin) { "\(($0[0] * 10000).rounded() / 10000)" }
        return filter(
            "brightness", kdenlive: isIn ? "fade_from_black" : "fade_to_black",
            shotcut: isIn ? "fadeInBrightness" : "fadeOutBrightness", begin..<(end + 1),
            [("level", "1"), ("alpha", opacity)])
    }

    /// Its key frames count from the filter's own beginning.
    private func animation(_ keyFrames: [KeyFrame], from begin: Int, _ value: ([Double]) -> String) -> String {
        keyFrames.map { "\($0.frame - begin)=\(value($0.values))" }.joined(separator: ";")
    }

    private func filter(
        _ service: String, kdenlive: String, shotcut: String, _ frames: Range<Int>, _ own: [(String, String)]
    ) -> XMLElement {
        let names = [("mlt_service", service), ("kdenlive_id", kdenlive), ("shotcut:filter", shotcut)]
        return XMLElement(
            "filter", ["in": "\(frames.lowerBound)", "out": "\(frames.upperBound - 1)"],
            (names + own).map { .property($0, $1) })
    }
}
