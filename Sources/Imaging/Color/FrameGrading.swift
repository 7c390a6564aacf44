import Dispatch
package import MediaTypes

/// How the samples of frames lie whose colors are changed: planes of Y, U and V, or of Y and of U and V in turn.
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

/// Changes the colors of frames: each pixel is brought to red, green and blue in floating point, changed, and brought back, rounded once.
///
/// Pixels that share chroma get the mean of what becomes of it for each of them: a table that changes nothing leaves each sample
/// as it is, and edges of color stay as sharp as they are. Of 8 bits, each pair of U and V has a row of 256 results, made when it
/// first comes: a pixel is one look-up then, to the bit what the computation gives.
///
/// One thread at a time may use it.
package final class FrameGrading {
    private let layout: GradedLayout
    private let size: VideoSize
    private let change8: ((GradedLine<UInt8>) -> Void)?
    private let change16: @Sendable (GradedLine<UInt16>) -> Void

    /// By a table.
    ///
    /// - Parameters:
    ///   - size: in pixels of luma; may be odd.
    ///   - makesSDR: whether the frames have the matrix of BT.709 then; else they keep theirs.
    package convenience init(
        _ table: LookupTable, _ layout: GradedLayout, size: VideoSize, color: ColorEncoding, makesSDR: Bool = false
    ) {
        let matrix = makesSDR ? .bt709 : color.matrix
        let kernel = GradingKernel(LookupReader(table), color, to: matrix, bitDepth: layout.bitDepth)
        self.init(kernel, of: table, layout, size)
    }

    /// From HDR to SDR with the matrix of BT.709.
    ///
    /// - Parameter size: in pixels of luma; may be odd.
    package convenience init(_ mapping: ToneMapping, _ layout: GradedLayout, size: VideoSize, color: ColorEncoding) {
        let tables = ToneTables(mapping)
        let kernel = GradingKernel(tables.mapper, color, to: .bt709, bitDepth: layout.bitDepth)
        self.init(kernel, of: tables, layout, size)
    }

    /// - Parameter tables: what the kernel looks up in.
    private init<Change: ColorChange>(
        _ kernel: GradingKernel<Change>, of tables: some Sendable, _ layout: GradedLayout, _ size: VideoSize
    ) {
        (self.layout, self.size) = (layout, size)
        let (rows, shift) = (layout.bitDepth == 8 ? GradingRows(kernel) : nil, layout.shift)
        change8 = rows.map { rows in { line in withExtendedLifetime(tables) { rows.apply(to: line) } } }
        change16 = { line in withExtendedLifetime(tables) { kernel.apply(to: line, shift: shift) } }
    }

    /// Changes a frame in place.
    ///
    /// - Parameter planes: as many as the layout has; what follows is left alone.
    package func apply(to planes: [MutableFrameView.Plane]) {
        guard planes.count >= (layout.interleavesChroma ? 2 : 3) else { return }
        let count = layout.halvesRows ? (size.height + 1) / 2 : size.height
        let lines = GradedLines(planes: planes, layout: layout, size: size)
        if let change8 {
            for row in 0..<count { change8(lines.line(row)) }
            return
        }
        // Each row is by itself; a few of them together are worth a thread.
        let part = 16
        DispatchQueue.concurrentPerform(iterations: (count + part - 1) / part) { [change16] index in
            for row in index * part..<min((index + 1) * part, count) { change16(lines.line(row)) }
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
