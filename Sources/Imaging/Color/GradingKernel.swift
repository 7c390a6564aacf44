/// What colors become of colors, each of red, green and blue from 0 to 1.
protocol ColorChange {
    func mapped(_ color: SIMD4<Float>) -> SIMD4<Float>
    /// The same for the red, green and blue of four pixels beside each other; nil where that is no faster.
    func mapped(_ red: SIMD4<Float>, _ green: SIMD4<Float>, _ blue: SIMD4<Float>) -> ColorsOfFour?
}

extension ColorChange {
    @inline(__always) func mapped(_: SIMD4<Float>, _: SIMD4<Float>, _: SIMD4<Float>) -> ColorsOfFour? { nil }
}

typealias ColorsOfFour = (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>)

/// A change of colors between samples of luma and chroma; good as long as what it looks up in.
///
/// `@unchecked Sendable` because nothing of it changes.
struct GradingKernel<Change: ColorChange>: @unchecked Sendable {
    private let change: Change
    /// Red, green and blue of a unit of each, and of none.
    private let (fromLuma, fromU, fromV, fromNothing): (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    /// Y, U and V of red, green and blue, each 1, and of black.
    private let (ofRed, ofGreen, ofBlue, ofBlack): (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    private let largest: Float

    /// - Parameter made: what the matrix is afterwards; the range stays.
    init(_ change: Change, _ color: ColorEncoding, to made: ColorEncoding.Matrix, bitDepth: Int) {
        self.change = change
        let scale = SampleScale(color.range, bitDepth: bitDepth)
        var (r, b) = color.matrix.weights
        var g = 1 - r - b
        func vector(_ x: Double, _ y: Double, _ z: Double) -> SIMD4<Float> { SIMD4(Float(x), Float(y), Float(z), 0) }
        let luma = 1 / scale.luma.scale
        let (u, v) = (
            (0.0, -2 * b * (1 - b) / g / scale.chroma.scale, 2 * (1 - b) / scale.chroma.scale),
            (2 * (1 - r) / scale.chroma.scale, -2 * r * (1 - r) / g / scale.chroma.scale, 0.0)
        )
        fromLuma = vector(luma, luma, luma)
        (fromU, fromV) = (vector(u.0, u.1, u.2), vector(v.0, v.1, v.2))
        let black = -scale.luma.offset * luma
        let middle = scale.chroma.offset
        fromNothing = vector(black - middle * v.0, black - middle * (u.1 + v.1), black - middle * u.2)
        (r, b) = made.weights
        g = 1 - r - b
        let (perU, perV) = (scale.chroma.scale / (2 * (1 - b)), scale.chroma.scale / (2 * (1 - r)))
        ofRed = vector(r * scale.luma.scale, -r * perU, (1 - r) * perV)
        ofGreen = vector(g * scale.luma.scale, -g * perU, -g * perV)
        ofBlue = vector(b * scale.luma.scale, (1 - b) * perU, -b * perV)
        ofBlack = vector(scale.luma.offset, middle, middle)
        largest = Float(scale.largest)
    }

    /// What chroma adds to red, green and blue.
    @inline(__always) func chroma(_ u: Float, _ v: Float) -> SIMD4<Float> { fromNothing + fromU * u + fromV * v }

    /// Y, U and V of a pixel, not yet rounded. Luma is within what the bits hold; chroma of the full range may be half a value above.
    @inline(__always) func graded(_ luma: Float, _ chroma: SIMD4<Float>) -> SIMD4<Float> {
        let color = change.mapped(chroma + fromLuma * luma)
        return ofBlack + ofRed * color.x + ofGreen * color.y + ofBlue * color.z
    }

    /// Changes a row of more than 8 bits.
    func apply(to line: GradedLine<UInt16>, shift: Int) {
        let shift = UInt16(truncatingIfNeeded: shift)
        let hasLower = line.lower != line.upper
        for column in 0..<(line.halvesColumns ? (line.width + 1) / 2 : line.width) {
            let x = line.halvesColumns ? 2 * column : column
            let (u, v) = (line.u + column * line.step, line.v + column * line.step)
            let chroma = chroma(Float(u.pointee &>> shift), Float(v.pointee &>> shift))
            let hasRight = line.halvesColumns && x + 1 < line.width
            if hasRight, hasLower, let mean = changedFour(line.upper + x, line.lower + x, chroma, shift) {
                u.pointee = UInt16(truncatingIfNeeded: SampleRounding.rounded(min(mean.y, largest))) &<< shift
                v.pointee = UInt16(truncatingIfNeeded: SampleRounding.rounded(min(mean.z, largest))) &<< shift
                continue
            }
            var sum = changed(line.upper + x, chroma, shift)
            var share: Float = 1
            if hasRight {
                sum += changed(line.upper + x + 1, chroma, shift)
                share = 0.5
            }
            if hasLower {
                sum += changed(line.lower + x, chroma, shift)
                if hasRight { sum += changed(line.lower + x + 1, chroma, shift) }
                share *= 0.5
            }
            u.pointee = UInt16(truncatingIfNeeded: SampleRounding.rounded(min(sum.y * share, largest))) &<< shift
            v.pointee = UInt16(truncatingIfNeeded: SampleRounding.rounded(min(sum.z * share, largest))) &<< shift
        }
    }

    /// Changes four samples of luma that share their chroma, and tells what that would be on average; nil where ``Change`` has no way for
    /// four at once.
    @inline(__always) private func changedFour(
        _ upper: UnsafeMutablePointer<UInt16>, _ lower: UnsafeMutablePointer<UInt16>, _ chroma: SIMD4<Float>,
        _ shift: UInt16
    ) -> SIMD4<Float>? {
        let luma =
            SIMD4(
                Float(upper[0] &>> shift), Float(upper[1] &>> shift), Float(lower[0] &>> shift),
                Float(lower[1] &>> shift)) * fromLuma.x
        guard let (red, green, blue) = change.mapped(luma + chroma.x, luma + chroma.y, luma + chroma.z) else {
            return nil
        }
        var values = red * ofRed.x + green * ofGreen.x + (blue * ofBlue.x + ofBlack.x)
        let most = SIMD4(repeating: largest)
        values.replace(with: most, where: values .> most)
        let whole = unsafeBitCast(values + 8_388_608, to: SIMD4<UInt32>.self)
        upper[0] = UInt16(truncatingIfNeeded: whole.x) &<< shift
        upper[1] = UInt16(truncatingIfNeeded: whole.y) &<< shift
        lower[0] = UInt16(truncatingIfNeeded: whole.z) &<< shift
        lower[1] = UInt16(truncatingIfNeeded: whole.w) &<< shift
        return ofBlack + (ofRed * red.sum() + ofGreen * green.sum() + ofBlue * blue.sum()) * 0.25
    }

    /// Changes a sample of luma, and tells what its chroma would be.
    @inline(__always) private func changed(
        _ luma: UnsafeMutablePointer<UInt16>, _ chroma: SIMD4<Float>, _ shift: UInt16
    ) -> SIMD4<Float> {
        let result = graded(Float(luma.pointee &>> shift), chroma)
        luma.pointee = UInt16(truncatingIfNeeded: SampleRounding.rounded(min(result.x, largest))) &<< shift
        return result
    }
}

enum SampleRounding {
    /// To the nearest whole number from 0 to 65535, without the checks of a conversion.
    @inline(__always) static func rounded(_ value: Float) -> UInt32 { (value + 8_388_608).bitPattern & 0xFFFF }
}
