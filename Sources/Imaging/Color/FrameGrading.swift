import Dispatch
package import MediaTypes

/// How the samples of frames lie that a ``LookupTable`` is applied to: planes of Y, U and V, or of Y and of U and V in turn.
package struct GradedLayout: Sendable, Hashable {
    /// 8, or up to 12 in 16 bits.
    package var bitDepth: Int
    /// By how many bits samples are shifted to the left.
    package var shift: Int
    /// Whether there is half as much chroma across, and down.
    package var halvesColumns, halvesRows: Bool
    /// Whether U and V lie in one plane.
    package var interleavesChroma: Bool

    package init(
        bitDepth: Int, shift: Int = 0, halvesColumns: Bool, halvesRows: Bool, interleavesChroma: Bool = false
    ) {
        (self.bitDepth, self.shift, self.interleavesChroma) = (bitDepth, shift, interleavesChroma)
        (self.halvesColumns, self.halvesRows) = (halvesColumns, halvesRows)
    }
}

/// Changes the colors of frames by a ``LookupTable``: each pixel is brought to red, green and blue in floating point, looked up, and
/// brought back, rounded once.
///
/// Pixels that share chroma get the mean of what becomes of it for each of them: a table that changes nothing leaves each sample
/// as it is, and edges of color stay as sharp as they are. Of 8 bits, each pair of U and V has a row of 256 results, made when it
/// first comes: a pixel is one look-up then, to the bit what the interpolation gives.
///
/// One thread at a time may use it.
package final class FrameGrading {
    private let table: LookupTable
    private let kernel: GradingKernel
    private let layout: GradedLayout
    private let size: VideoSize
    private let rows: GradingRows?

    /// - Parameter size: in pixels of luma; may be odd.
    package init(_ table: LookupTable, _ layout: GradedLayout, size: VideoSize, color: ColorEncoding) {
        kernel = GradingKernel(table, color, bitDepth: layout.bitDepth)
        rows = layout.bitDepth == 8 ? GradingRows(kernel) : nil
        (self.table, self.layout, self.size) = (table, layout, size)
    }

    /// Changes a frame in place.
    ///
    /// - Parameter planes: as many as the layout has.
    package func apply(to planes: [MutableFrameView.Plane]) {
        guard planes.count >= (layout.interleavesChroma ? 2 : 3) else { return }
        let count = layout.halvesRows ? (size.height + 1) / 2 : size.height
        let lines = GradedLines(planes: planes, layout: layout, size: size)
        if let rows {
            for row in 0..<count { rows.apply(to: lines.line(row)) }
            return
        }
        // Each row is by itself; a few of them together are worth a thread.
        let (part, shift) = (16, layout.shift)
        DispatchQueue.concurrentPerform(iterations: (count + part - 1) / part) { [kernel] index in
            for row in index * part..<min((index + 1) * part, count) { kernel.apply(to: lines.line(row), shift: shift) }
        }
    }
}

/// The rows of a frame.
///
/// `@unchecked Sendable` because each thread writes rows of its own.
private struct GradedLines: @unchecked Sendable {
    let planes: [MutableFrameView.Plane]
    let layout: GradedLayout
    let size: VideoSize

    /// What belongs to a row of chroma.
    func line<Sample>(_ row: Int) -> GradedLine<Sample> {
        func samples(_ row: Int, _ plane: Int) -> UnsafeMutablePointer<Sample> {
            (planes[plane].base + row * planes[plane].bytesPerRow).assumingMemoryBound(to: Sample.self)
        }
        let upper = layout.halvesRows ? 2 * row : row
        return GradedLine(
            upper: samples(upper, 0), lower: samples(min(upper + (layout.halvesRows ? 1 : 0), size.height - 1), 0),
            u: samples(row, 1), v: layout.interleavesChroma ? samples(row, 1) + 1 : samples(row, 2),
            step: layout.interleavesChroma ? 2 : 1, width: size.width, halvesColumns: layout.halvesColumns)
    }
}

/// A row of chroma and its rows of luma, the same one twice where there is one only.
struct GradedLine<Sample> {
    let upper, lower: UnsafeMutablePointer<Sample>
    let u, v: UnsafeMutablePointer<Sample>
    /// From one sample of U or V to the next.
    let step: Int
    /// In samples of luma.
    let width: Int
    let halvesColumns: Bool
}
