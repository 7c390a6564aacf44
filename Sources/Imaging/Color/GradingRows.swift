/// What becomes of each luma of 8 bits beside each pair of U and V, made when the pair first comes.
///
/// A video has some ten thousand pairs; all would take 64 MB, of which the system gives what is written.
final class GradingRows<Change: ColorChange> {
    private let kernel: GradingKernel<Change>
    /// In 256 words for each pair. A word has U in its lowest 12 bits and V in the next, in quarters, and luma in the highest 8: of
    /// four of them the sum has four times the mean of both, in sixteenths, and lets luma go over its edge.
    private let words: UnsafeMutablePointer<UInt32>
    private let isMade: UnsafeMutablePointer<Bool>

    private static var pairs: Int { 65536 }

    init(_ kernel: GradingKernel<Change>) {
        self.kernel = kernel
        words = .allocate(capacity: Self.pairs * 256)
        isMade = .allocate(capacity: Self.pairs)
        isMade.initialize(repeating: false, count: Self.pairs)
    }

    deinit {
        words.deallocate()
        isMade.deallocate()
    }

    /// Changes a row of 8 bits.
    func apply(to line: GradedLine<UInt8>) {
        let (upper, lower) = (line.upper, line.lower)
        for column in 0..<(line.halvesColumns ? (line.width + 1) / 2 : line.width) {
            let left = line.halvesColumns ? 2 * column : column
            let right = line.halvesColumns ? min(left + 1, line.width - 1) : left
            let (u, v) = (line.u + column * line.step, line.v + column * line.step)
            let row = row(u.pointee, v.pointee)
            // Where pixels are the same ones twice, the mean is too.
            let (a, b) = (row[Int(upper[left])], row[Int(upper[right])])
            let (c, d) = (row[Int(lower[left])], row[Int(lower[right])])
            upper[left] = UInt8(truncatingIfNeeded: a >> 24)
            upper[right] = UInt8(truncatingIfNeeded: b >> 24)
            lower[left] = UInt8(truncatingIfNeeded: c >> 24)
            lower[right] = UInt8(truncatingIfNeeded: d >> 24)
            let sum = a &+ b &+ c &+ d
            u.pointee = UInt8(truncatingIfNeeded: min((sum & 0xFFF) &+ 8, 0xFF0) >> 4)
            v.pointee = UInt8(truncatingIfNeeded: min((sum >> 12 & 0xFFF) &+ 8, 0xFF0) >> 4)
        }
    }

    @inline(__always) private func row(_ u: UInt8, _ v: UInt8) -> UnsafeMutablePointer<UInt32> {
        let pair = Int(u) << 8 | Int(v)
        let row = words + pair << 8
        if !isMade[pair] { make(row, u, v, pair) }
        return row
    }

    @inline(never) private func make(_ row: UnsafeMutablePointer<UInt32>, _ u: UInt8, _ v: UInt8, _ pair: Int) {
        let chroma = kernel.chroma(Float(u), Float(v))
        for luma in 0..<256 {
            let samples = kernel.graded(Float(luma), chroma)
            let (y, u, v) = (
                SampleRounding.rounded(samples.x), SampleRounding.rounded(samples.y * 4),
                SampleRounding.rounded(samples.z * 4)
            )
            (row + luma).initialize(to: y << 24 | v << 12 | u)
        }
        isMade[pair] = true
    }
}
