/// Makes rows of weighted sums of other rows. Along rows, as that is where a processor computes many samples at once: columns are
/// filtered by turning the plane.
struct RowFilter {
    private let weights: ResamplingWeights
    private let sums = ScratchMemory()
    private let isWide: Bool

    /// What weights sum up to: with 8 bit sums fit into 16 bits, with 10 bit into 32.
    private static let (one, wideOne): (Int, Int) = (256, 16384)

    init(_ span: ResamplingSpan, bytesPerSample: Int) {
        isWide = bytesPerSample == 2
        weights = ResamplingWeights(span, one: isWide ? Self.wideOne : Self.one)
    }

    /// - Parameters:
    ///   - source: As wide as the target.
    ///   - firstRow: The number of the source's first row in the span.
    func apply(_ source: SamplePlane, firstRow: Int, to target: MutableSamplePlane) {
        for index in 0..<target.height {
            let range = weights.starts[index]..<weights.starts[index + 1]
            let from = source.row(weights.firsts[index] - firstRow)
            weights.weights.withUnsafeBufferPointer { all in
                let taps = UnsafeBufferPointer(rebasing: all[range])
                if taps.count == 1 {
                    target.row(index).copyMemory(from: from, byteCount: target.width * target.bytesPerSample)
                } else if isWide {
                    sumWide(from, source.bytesPerRow, taps, to: target.row(index), count: target.width)
                } else {
                    sum(from, source.bytesPerRow, taps, to: target.row(index), count: target.width)
                }
            }
        }
    }

    private func sum(
        _ from: UnsafeRawPointer, _ stride: Int, _ taps: UnsafeBufferPointer<UInt16>, to: UnsafeMutableRawPointer,
        count: Int
    ) {
        let (a, b, target) = (from.asSamples, (from + stride).asSamples, to.asSamples)
        let (u, v) = (taps[0], taps[1])
        switch taps.count {
        case 2:
            for x in 0..<count {
                let sum = UInt16(a[x]) &* u &+ UInt16(b[x]) &* v &+ 128
                target[x] = UInt8(truncatingIfNeeded: sum &>> 8)
            }
        case 3:
            let (c, w) = ((from + 2 * stride).asSamples, taps[2])
            for x in 0..<count {
                let sum = UInt16(a[x]) &* u &+ UInt16(b[x]) &* v &+ UInt16(c[x]) &* w &+ 128
                target[x] = UInt8(truncatingIfNeeded: sum &>> 8)
            }
        default:
            let sums = self.sums.bytes(2 * count).asWideSamples
            for x in 0..<count { sums[x] = UInt16(a[x]) &* u &+ UInt16(b[x]) &* v &+ 128 }
            for tap in 2..<taps.count {
                let (c, w) = ((from + tap * stride).asSamples, taps[tap])
                for x in 0..<count { sums[x] &+= UInt16(c[x]) &* w }
            }
            for x in 0..<count { target[x] = UInt8(truncatingIfNeeded: sums[x] &>> 8) }
        }
    }

    private func sumWide(
        _ from: UnsafeRawPointer, _ stride: Int, _ taps: UnsafeBufferPointer<UInt16>, to: UnsafeMutableRawPointer,
        count: Int
    ) {
        let (a, b, target) = (from.asWideSamples, (from + stride).asWideSamples, to.asWideSamples)
        let (u, v) = (UInt32(taps[0]), UInt32(taps[1]))
        if taps.count == 2 {
            for x in 0..<count {
                let sum = UInt32(a[x]) &* u &+ UInt32(b[x]) &* v &+ 8192
                target[x] = UInt16(truncatingIfNeeded: sum &>> 14)
            }
            return
        }
        let sums = self.sums.bytes(4 * count).assumingMemoryBound(to: UInt32.self)
        for x in 0..<count { sums[x] = UInt32(a[x]) &* u &+ UInt32(b[x]) &* v &+ 8192 }
        for tap in 2..<taps.count {
            let (c, w) = ((from + tap * stride).asWideSamples, UInt32(taps[tap]))
            for x in 0..<count { sums[x] &+= UInt32(c[x]) &* w }
        }
        for x in 0..<count { target[x] = UInt16(truncatingIfNeeded: sums[x] &>> 14) }
    }
}
