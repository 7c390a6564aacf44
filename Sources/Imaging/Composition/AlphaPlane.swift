/// How much of what lies behind is replaced, in 255ths, sample by sample.
final class AlphaPlane {
    let width: Int
    let height: Int
    /// Rows that are alike, kept once.
    let uniform: Range<Int>
    /// Whether those replace all.
    let isUniformOpaque: Bool
    private let keptRows: Int
    private let bytesPerRow: Int
    private let coverage: Coverage
    private let memory = ScratchMemory()
    private let doubledMemory = ScratchMemory()
    private var isDoubled = false

    init(_ coverage: Coverage, opacity: Float = 1) {
        (width, height, uniform) = (coverage.width, coverage.height, coverage.uniform)
        self.coverage = coverage
        keptRows = coverage.keptRows
        bytesPerRow = (width + 63) & ~63
        let bytes = memory.bytes(bytesPerRow * max(keptRows, 1)).asSamples
        for row in [Int](0..<height) where row <= uniform.lowerBound || row >= uniform.upperBound || uniform.isEmpty {
            let target = bytes + coverage.index(of: row) * bytesPerRow
            coverage.withRow(row) { values in
                for x in 0..<values.count {
                    target[x] = UInt8(truncatingIfNeeded: Int32(values[x] * opacity * 255 + 0.5))
                }
            }
        }
        let first = bytes + uniform.lowerBound * bytesPerRow
        isUniformOpaque = !uniform.isEmpty && (0..<width).allSatisfy { first[$0] == 255 }
    }

    /// The alpha of a row, and how many bytes there are to that of the next one: 0 among rows that are alike.
    func row(_ row: Int) -> (alpha: UnsafePointer<UInt8>, bytesPerRow: Int) {
        (
            UnsafePointer(memory.bytes(0).asSamples) + coverage.index(of: row) * bytesPerRow,
            uniform.contains(row) ? 0 : bytesPerRow
        )
    }

    /// The same with each value twice: U and V lie in turn.
    func doubledRow(_ row: Int) -> (alpha: UnsafePointer<UInt8>, bytesPerRow: Int) {
        let wide = 2 * bytesPerRow
        let bytes = doubledMemory.bytes(wide * max(keptRows, 1)).asSamples
        if !isDoubled {
            isDoubled = true
            let source = memory.bytes(0).asSamples
            for index in 0..<bytesPerRow * keptRows {
                (bytes[2 * index], bytes[2 * index + 1]) = (source[index], source[index])
            }
        }
        return (UnsafePointer(bytes) + coverage.index(of: row) * wide, uniform.contains(row) ? 0 : wide)
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
