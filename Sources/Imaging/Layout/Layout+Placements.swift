package import Errors
package import MediaTypes

extension Layout {
    /// Where each frame is drawn in an output, from the one at the back to the one in front.
    ///
    /// - Parameters:
    ///   - output: In pixels.
    ///   - feeds: The size of each feed's frames, as they are shown: rotated. The first is the main one. One to four.
    /// - Throws: `RushesError` with the code `invalidSettings` where an inset would leave the output or be larger than it, or there is no inset to be shown.
    package func placements(in output: VideoSize, feeds: [VideoSize]) throws(RushesError) -> [FeedPlacement] {
        guard (1...4).contains(feeds.count) else {
            throw RushesError(.invalidSettings, "\(feeds.count) cameras do not fit into a frame; give one to four")
        }
        let whole = PixelRectangle(x: 0, y: 0, width: output.width, height: output.height)
        switch arrangement {
        case .mainOnly: return [placement(0, feeds[0], in: whole, scaling)]
        case .insetOnly:
            guard feeds.count > 1 else {
                throw RushesError(.invalidSettings, "inset-only shows a second camera; add one, or use main-only")
            }
            return [placement(1, feeds[1], in: whole, scaling)]
        case .corner(let corner):
            return [placement(0, feeds[0], in: whole, scaling)] + (try insets(at: corner, feeds, output))
        case .rectangle(let x, let y, let width, let height):
            guard feeds.count <= 2 else {
                throw RushesError(
                    .invalidSettings,
                    "x= and y= place one inset, and there are \(feeds.count - 1); use a corner or grid")
            }
            var places = [placement(0, feeds[0], in: whole, scaling)]
            if feeds.count == 2 {
                let place = try rectangle(x, y, width, height, feeds[1], output)
                places.append(decorated(placement(1, feeds[1], in: place, scaling), output))
            }
            return places
        case .sideBySide: return try cells(feeds, output, columns: feeds.count)
        case .stacked: return try cells(feeds, output, columns: 1)
        case .grid: return try cells(feeds, output, columns: feeds.count == 1 ? 1 : 2)
        }
    }

    // MARK: Corners

    private func insets(
        at corner: Corner, _ feeds: [VideoSize], _ output: VideoSize
    ) throws(RushesError) -> [FeedPlacement] {
        let box = VideoSize(size.pixels(of: output.width).evenLength, size.pixels(of: output.height).evenLength)
        if box.width > output.width {
            throw RushesError(
                .invalidSettings,
                "an inset of size=\(size.text) is larger than the main frame of \(output); give at most 100%")
        }
        let margin = self.margin.pixels(of: min(output.width, output.height)).evenPosition
        let (isRight, isBottom) = (
            corner == .topRight || corner == .bottomRight, corner == .bottomLeft || corner == .bottomRight
        )
        var (places, used) = ([FeedPlacement](), margin)
        for (index, feed) in feeds.enumerated().dropFirst() {
            var place = placement(
                index, feed, in: PixelRectangle(x: 0, y: 0, width: box.width, height: min(box.height, output.height)),
                scaling)
            let (width, height) = (place.rectangle.width, place.rectangle.height)
            // Of an odd output the even place may be a pixel nearer to its edge.
            place.rectangle.x = isRight ? (output.width - margin - width) & ~1 : margin
            place.rectangle.y = isBottom ? (output.height - used - height) & ~1 : used
            used += height + margin
            places.append(decorated(place, output))
        }
        let whole = PixelRectangle(x: 0, y: 0, width: output.width, height: output.height)
        guard places.allSatisfy({ whole.contains($0.rectangle) }) else {
            throw RushesError(
                .invalidSettings,
                feeds.count > 2
                    ? "\(feeds.count - 1) insets of size=\(size.text) do not fit above each other into \(output); give a smaller size=, or use grid"
                    : "an inset of size=\(size.text) with margin=\(self.margin.text) extends beyond the frame of \(output); give a smaller size= or margin="
            )
        }
        return places
    }

    // MARK: A place that is told

    private func rectangle(
        _ x: Length, _ y: Length, _ width: Length?, _ height: Length?, _ feed: VideoSize, _ output: VideoSize
    ) throws(RushesError) -> PixelRectangle {
        let shape = Double(feed.width) / Double(feed.height)
        var (wide, high) = (width?.pixels(of: output.width), height?.pixels(of: output.height))
        if let wide, high == nil { high = wide / shape }
        if let high, wide == nil { wide = high * shape }
        let (left, top) = (x.pixels(of: output.width).whole, y.pixels(of: output.height).whole)
        let place = PixelRectangle(x: left, y: top, width: (wide ?? 0).whole, height: (high ?? 0).whole)
        guard place.width >= 2, place.height >= 2 else {
            throw RushesError(
                .invalidSettings,
                "an inset of \(place.width)×\(place.height) pixels cannot be seen; give a larger width=")
        }
        guard place.width <= output.width, place.height <= output.height else {
            throw RushesError(
                .invalidSettings,
                "an inset of \(place.width)×\(place.height) is larger than the main frame of \(output); give a smaller width="
            )
        }
        guard place.right <= output.width else {
            throw RushesError(
                .invalidSettings,
                "the inset extends beyond the frame of \(output) on the right by \(place.right - output.width) pixels; "
                    + "give x=\(output.width - place.width) or less")
        }
        guard place.bottom <= output.height else {
            throw RushesError(
                .invalidSettings,
                "the inset extends beyond the frame of \(output) at the bottom by \(place.bottom - output.height) pixels; "
                    + "give y=\(output.height - place.height) or less")
        }
        return place
    }

    // MARK: Cells

    private func cells(_ feeds: [VideoSize], _ output: VideoSize, columns: Int) throws(RushesError) -> [FeedPlacement] {
        let rows = (feeds.count + columns - 1) / columns
        let gap = margin.pixels(of: min(output.width, output.height)).evenPosition
        let width = (Double(output.width - (columns + 1) * gap) / Double(columns)).evenPart
        let height = (Double(output.height - (rows + 1) * gap) / Double(rows)).evenPart
        guard width >= 16, height >= 16 else {
            throw RushesError(
                .invalidSettings, "a margin of \(margin) leaves frames no space in \(output); give a smaller margin=")
        }
        return feeds.enumerated().map { index, feed in
            let (row, column) = (index / columns, index % columns)
            // The last row may have fewer: it stands in the middle.
            let isLast = row == rows - 1
            let count = isLast ? feeds.count - row * columns : columns
            let indent = ((output.width - count * width - (count - 1) * gap) / 2) & ~1
            let top = ((output.height - rows * height - (rows - 1) * gap) / 2) & ~1
            let cell = PixelRectangle(
                x: indent + column * (width + gap), y: top + row * (height + gap), width: width, height: height)
            return decorated(placement(index, feed, in: cell, scaling), output)
        }
    }

    // MARK: One frame

    private func placement(
        _ index: Int, _ feed: VideoSize, in cell: PixelRectangle, _ scaling: Scaling
    ) -> FeedPlacement {
        let (width, height) = (Double(feed.width), Double(feed.height))
        let (across, down) = (Double(cell.width) / width, Double(cell.height) / height)
        var crop = CropRectangle(x: 0, y: 0, width: width, height: height)
        // A rounding of half a pixel is no other shape.
        let isSame = abs(across - down) * max(width, height) < 1
        guard !isSame else { return FeedPlacement(feed: index, rectangle: cell, crop: crop) }
        switch scaling {
        case .fit:
            let scale = min(across, down)
            let fitted = PixelRectangle(
                x: 0, y: 0, width: across <= down ? cell.width : min((width * scale).evenLength, cell.width),
                height: down <= across ? cell.height : min((height * scale).evenLength, cell.height))
            return FeedPlacement(
                feed: index,
                rectangle: PixelRectangle(
                    x: cell.x + ((cell.width - fitted.width) / 2) & ~1,
                    y: cell.y + ((cell.height - fitted.height) / 2) & ~1, width: fitted.width, height: fitted.height),
                crop: crop)
        case .fill:
            let scale = max(across, down)
            crop.width = min(Double(cell.width) / scale, width)
            crop.height = min(Double(cell.height) / scale, height)
            crop.x = (width - crop.width) / 2
            crop.y = (height - crop.height) / 2
            return FeedPlacement(feed: index, rectangle: cell, crop: crop)
        }
    }

    private func decorated(_ placement: FeedPlacement, _ output: VideoSize) -> FeedPlacement {
        var placement = placement
        let unit = Double(min(output.width, output.height)) / 1080
        let smaller = Double(min(placement.rectangle.width, placement.rectangle.height))
        placement.cornerRadius = cornerRadius > 0 ? min(cornerRadius * unit, smaller / 2) : 0
        placement.borderWidth = borderWidth > 0 ? min(borderWidth * unit, smaller / 2) : 0
        placement.shadowRadius = hasShadow ? Self.shadowRadius * unit : 0
        return placement
    }

    /// In pixels as those of ``cornerRadius``.
    private static let shadowRadius = 32.0
}

extension Layout.Length {
    /// What is no number, or less than nothing, is 0.
    fileprivate func pixels(of whole: Int) -> Double {
        switch self {
        case .pixels(let pixels): pixels >= 0 ? min(pixels, 1e6) : 0
        case .fraction(let fraction): fraction >= 0 ? min(fraction * Double(whole), 1e6) : 0
        }
    }
}

extension Double {
    fileprivate var whole: Int { Int(rounded()) }
    /// Even: chroma has half as many columns and rows, and what begins between two of them has to be interpolated.
    fileprivate var evenPosition: Int { Int((self / 2).rounded()) * 2 }
    /// The largest even number that it holds.
    fileprivate var evenPart: Int { Int((self / 2).rounded(.down)) * 2 }
    fileprivate var evenLength: Int { Swift.max(2, evenPosition) }
}
