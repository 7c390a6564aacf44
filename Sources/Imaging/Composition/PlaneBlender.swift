import CYUV

/// A plane that is drawn into.
struct BlendTarget {
    var plane: MutableSamplePlane
    /// Whether each place holds two samples in turn: U and V.
    var isInterleaved = false
    /// Whether 10 bits lie in the upper bits of 16.
    var isRaised = false
}

/// Replaces samples in part, as an ``AlphaPlane`` tells.
enum PlaneBlender {
    /// - Parameters:
    ///   - source: As the target holds samples; a row that is repeated where its bytesPerRow is 0. Its width counts places: of U
    ///     and V in turn, pairs.
    ///   - alpha: Of the source's size; nil replaces all.
    ///   - x, y: Where the source's first place lies in the target; what lies beyond the target is cut away.
    static func blend(_ source: SamplePlane, _ alpha: AlphaPlane?, into target: BlendTarget, x: Int, y: Int) {
        let columns = max(0, -x)..<max(max(0, -x), min(source.width, target.plane.width - x))
        let rows = max(0, -y)..<max(max(0, -y), min(source.height, target.plane.height - y))
        guard !columns.isEmpty, !rows.isEmpty else { return }
        let share = target.isInterleaved ? 2 : 1
        let bytes = target.plane.bytesPerSample
        for band in alpha?.bands(rows) ?? [rows] {
            let from = source.row(band.lowerBound) + columns.lowerBound * share * bytes
            let to = target.plane.row(y + band.lowerBound) + (x + columns.lowerBound) * share * bytes
            let part = SamplePlane(
                base: from, bytesPerRow: source.bytesPerRow, width: columns.count * share, height: band.count,
                bytesPerSample: bytes)
            var place = target
            place.plane.base = to
            guard let alpha, !(alpha.isUniformOpaque && alpha.uniform.contains(band.lowerBound)) else {
                part.copy(to: place.plane)
                continue
            }
            alpha.withRows(from: band.lowerBound, isInterleaved: target.isInterleaved) { values, stride in
                blend(part, values + columns.lowerBound * share, stride, into: place)
            }
        }
    }

    private static func blend(
        _ source: SamplePlane, _ alpha: UnsafePointer<UInt8>, _ alphaStride: Int, into target: BlendTarget
    ) {
        if source.bytesPerSample == 1 {
            let (to, stride) = (target.plane.base.asSamples, Int32(target.plane.bytesPerRow))
            BlendPlane(
                source.base.asSamples, Int32(source.bytesPerRow), to, stride, alpha, Int32(alphaStride), to, stride,
                Int32(source.width), Int32(source.height))
            return
        }
        for row in 0..<source.height {
            blendWide(
                source.row(row).asWideSamples, alpha + row * alphaStride, into: target.plane.row(row).asWideSamples,
                count: source.width, isRaised: target.isRaised)
        }
    }

    private static func blendWide(
        _ source: UnsafePointer<UInt16>, _ alpha: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt16>,
        count: Int, isRaised: Bool
    ) {
        // Rounded at the last bit that counts; those below stay 0.
        let (half, kept): (UInt32, UInt32) = isRaised ? (128 + 32 << 8, 0xffc0) : (128, 0xffff)
        for x in 0..<count {
            // 255 is all of it.
            let share = UInt32(alpha[x]) &+ UInt32(alpha[x] &>> 7)
            let sum = UInt32(source[x]) &* share &+ UInt32(target[x]) &* (256 &- share) &+ half
            target[x] = UInt16(truncatingIfNeeded: (sum &>> 8) & kept)
        }
    }
}
