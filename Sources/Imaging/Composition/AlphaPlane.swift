/// How much of what lies behind is replaced, in 255ths, sample by sample.
final class AlphaPlane {
    let width: Int
    let height: Int
    /// Rows that are alike, kept once.
    let uniform: Range<Int>
    /// Whether those replace all.
    let isUniformOpaque: Bool
    private let bytesPerRow: Int
    /// Of the rows that are kept.
    private let values: [UInt8]
    /// With each value twice, where U and V lie in turn.
    private lazy var doubled: [UInt8] = values.flatMap { [$0, $0] }

    init(_ coverage: Coverage, opacity: Float = 1) {
        (width, height, uniform) = (coverage.width, coverage.height, coverage.uniform)
        bytesPerRow = width
        values = coverage.values.map { UInt8(truncatingIfNeeded: Int32($0 * opacity * 255 + 0.5)) }
        let first = uniform.lowerBound * bytesPerRow
        isUniformOpaque = !uniform.isEmpty && values[first..<first + width].allSatisfy { $0 == 255 }
    }

    /// Lends the alpha from a row on, and how many bytes there are to that of the next one: 0 among rows that are alike.
    func withRows(
        from row: Int, isInterleaved: Bool, _ body: (_ alpha: UnsafePointer<UInt8>, _ bytesPerRow: Int) -> Void
    ) {
        let share = isInterleaved ? 2 : 1
        let begin = uniform.kept(row) * bytesPerRow * share
        (isInterleaved ? doubled : values).withUnsafeBufferPointer { all in
            guard let base = all.baseAddress else { return }
            body(base + begin, uniform.contains(row) ? 0 : bytesPerRow * share)
        }
    }

    /// The rows of a part, in bands that are either alike or not.
    func bands(_ rows: Range<Int>) -> [Range<Int>] {
        let middle = uniform.clamped(to: rows)
        guard !middle.isEmpty else { return [rows] }
        return [rows.lowerBound..<middle.lowerBound, middle, middle.upperBound..<rows.upperBound].filter { !$0.isEmpty }
    }
}

/// The alpha of luma, and of both kinds of chroma.
struct AlphaPlanes {
    let y: AlphaPlane
    let chroma: AlphaPlane
}

extension AlphaPlanes {
    init(_ coverage: Coverage, _ grid: SampleGrid, opacity: Float) {
        self.init(
            y: AlphaPlane(coverage, opacity: opacity), chroma: AlphaPlane(coverage.chroma(grid), opacity: opacity))
    }
}
