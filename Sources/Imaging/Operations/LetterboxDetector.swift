package import MediaTypes

/// Finds what of a movie's frames is more than black bars, frame by frame: the largest part that any of them shows, so a dark scene cuts nothing
/// off. A frame that is all black says nothing.
package struct LetterboxDetector: Sendable {
    /// What has been seen so far, in pixels; `nil` where all was black.
    package private(set) var area: PixelRectangle?
    private let size: VideoSize
    /// Luma of black.
    private let black: Int

    /// A line whose mean is this much above black is none of a bar: bars of broadcasts and discs are within 3 of it.
    private static let dim = 6
    /// Nor is one where one pixel in two hundred is this much above it, such as of a subtitle: compression leaves less at the edge of a bar.
    private static let bright = 24
    private static let brightShare = 200

    /// - Parameters:
    ///   - size: of all frames.
    ///   - isFullRange: whether black is 0 and not 16.
    package init(size: VideoSize, isFullRange: Bool) { (self.size, black) = (size, isFullRange ? 0 : 16) }

    /// Whether there is nothing to be cut off any more.
    package var isWhole: Bool {
        area == PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
    }

    /// - Parameter luma: of 8 bits; as many rows as the size says.
    package mutating func look(at luma: UnsafePointer<UInt8>, bytesPerRow: Int) {
        let (width, height) = (size.width, size.height)
        func isRow(_ y: Int) -> Bool { isContent(luma + y * bytesPerRow, count: width, step: 1) }
        func isColumn(_ x: Int) -> Bool { isContent(luma + x, count: height, step: bytesPerRow) }
        // Only what was black until now is looked at.
        guard let known = area else {
            guard let top = (0..<height).first(where: isRow), let bottom = (top..<height).last(where: isRow) else {
                return
            }
            let left = (0..<width).first(where: isColumn) ?? 0
            let right = (left..<width).last(where: isColumn) ?? width - 1
            area = PixelRectangle(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
            return
        }
        let (right, bottom) = (known.x + known.width, known.y + known.height)
        let newLeft = (0..<known.x).first(where: isColumn) ?? known.x
        let newTop = (0..<known.y).first(where: isRow) ?? known.y
        let newRight = (right..<width).last(where: isColumn).map { $0 + 1 } ?? right
        let newBottom = (bottom..<height).last(where: isRow).map { $0 + 1 } ?? bottom
        area = PixelRectangle(x: newLeft, y: newTop, width: newRight - newLeft, height: newBottom - newTop)
    }

    private func isContent(_ line: UnsafePointer<UInt8>, count: Int, step: Int) -> Bool {
        let limit = black + Self.bright
        var (sum, bright, place) = (0, 0, 0)
        for _ in 0..<count {
            let value = Int(line[place])
            sum &+= value
            bright &+= value > limit ? 1 : 0
            place &+= step
        }
        return sum > (black + Self.dim) * count || bright > max(1, count / Self.brightShare)
    }

    /// What is to be kept, with sides that chroma samples allow; `nil` where nothing is to be cut off.
    ///
    /// - Parameter rows: how many belong together: 2, and 4 where frames have fields.
    package func kept(rows: Int) -> PixelRectangle? {
        guard let area, !isWhole else { return nil }
        let (left, top) = (area.x & ~1, area.y / rows * rows)
        let right = min((area.x + area.width + 1) & ~1, size.width)
        let bottom = min((area.y + area.height + rows - 1) / rows * rows, size.height)
        let kept = PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
        return kept.width < size.width || kept.height < size.height ? kept : nil
    }
}
