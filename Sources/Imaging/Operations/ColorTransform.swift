/// Brings samples of one matrix, range and bit depth to another, without a detour through red, green and blue.
///
/// Both matrices give grey no chroma, so new chroma depends on old chroma alone; new luma is old luma and a correction from
/// chroma, which is interpolated between the nearest samples of chroma, taken to lie in the middle of their four pixels, or of two
/// where each row has its own.
struct ColorTransform {
    /// 14 bits after the point.
    private struct Coefficients {
        var luma: Int32
        var lumaOffset: Int32
        var lumaFromU: Int32
        var lumaFromV: Int32
        var uFromU: Int32
        var uFromV: Int32
        var vFromU: Int32
        var vFromV: Int32
    }

    private static let one = 16384.0
    private let coefficients: Coefficients
    private let middle: (from: Int32, to: Int32)
    private let largest: Int32
    /// Whether samples stay as they are.
    let isIdentity: Bool

    init(from: ColorEncoding, bitDepth: Int, to: ColorEncoding, bitDepth targetDepth: Int) {
        isIdentity = from == to && bitDepth == targetDepth
        let (source, target) = (
            SampleScale(from.range, bitDepth: bitDepth), SampleScale(to.range, bitDepth: targetDepth)
        )
        middle = (Int32(source.chroma.offset), Int32(target.chroma.offset))
        largest = Int32(target.largest)
        let (r, b) = from.matrix.weights
        let (newR, newB) = to.matrix.weights
        let (g, newG) = (1 - r - b, 1 - newR - newB)
        // Red, green and blue above luma, for a whole unit of U and of V.
        let fromU = (red: 0.0, green: -2 * b * (1 - b) / g, blue: 2 * (1 - b))
        let fromV = (red: 2 * (1 - r), green: -2 * r * (1 - r) / g, blue: 0.0)
        func luma(_ c: (red: Double, green: Double, blue: Double)) -> Double {
            newR * c.red + newG * c.green + newB * c.blue
        }
        func u(_ c: (red: Double, green: Double, blue: Double)) -> Double { (c.blue - luma(c)) / (2 * (1 - newB)) }
        func v(_ c: (red: Double, green: Double, blue: Double)) -> Double { (c.red - luma(c)) / (2 * (1 - newR)) }
        let lumaGain = target.luma.scale / source.luma.scale
        let lumaFromChroma = target.luma.scale / source.chroma.scale
        let chromaGain = target.chroma.scale / source.chroma.scale
        func fixed(_ value: Double) -> Int32 { Int32((value * Self.one).rounded()) }
        coefficients = Coefficients(
            luma: fixed(lumaGain), lumaOffset: fixed(target.luma.offset - source.luma.offset * lumaGain),
            lumaFromU: fixed(luma(fromU) * lumaFromChroma), lumaFromV: fixed(luma(fromV) * lumaFromChroma),
            uFromU: fixed(u(fromU) * chromaGain), uFromV: fixed(u(fromV) * chromaGain),
            vFromU: fixed(v(fromU) * chromaGain), vFromV: fixed(v(fromV) * chromaGain))
    }

    /// - Parameters:
    ///   - grid: How luma and chroma lie to each other.
    ///   - target: Of the same sizes; the source itself where the bit depths are the same.
    func apply(
        _ source: PlanarSamples<SamplePlane>, _ grid: SampleGrid, to target: PlanarSamples<MutableSamplePlane>,
        using memory: ScratchMemory
    ) {
        let (width, chromaWidth, chromaHeight) = (source.y.width, source.u.width, source.u.height)
        let corrects = coefficients.lumaFromU != 0 || coefficients.lumaFromV != 0
        let corrections = corrects ? chromaWidth * chromaHeight : 0
        let rows = memory.bytes(4 * (corrections + max(width, 2 * chromaWidth) * 3 + 2))
            .assumingMemoryBound(to: Int32.self)
        let room = rows + corrections
        let (first, second) = (room, room + max(width, 2 * chromaWidth))
        let third = second + max(width, 2 * chromaWidth)
        for row in 0..<chromaHeight {
            load(source.u, row, to: first)
            load(source.v, row, to: second)
            for x in 0..<chromaWidth {
                first[x] &-= middle.from
                second[x] &-= middle.from
            }
            if corrects {
                let correction = rows + row * chromaWidth
                let (a, b) = (coefficients.lumaFromU, coefficients.lumaFromV)
                for x in 0..<chromaWidth { correction[x] = first[x] &* a &+ second[x] &* b }
            }
            let offset = middle.to << 14 + 8192
            let (a, b, c, d) = (
                coefficients.uFromU, coefficients.uFromV, coefficients.vFromU, coefficients.vFromV
            )
            for x in 0..<chromaWidth {
                third[x] = (first[x] &* a &+ second[x] &* b &+ offset) &>> 14
                second[x] = (first[x] &* c &+ second[x] &* d &+ offset) &>> 14
            }
            store(third, to: target.u, row)
            store(second, to: target.v, row)
        }
        let (gain, offset) = (coefficients.luma, coefficients.lumaOffset + 8192)
        for row in 0..<source.y.height {
            load(source.y, row, to: first)
            for x in 0..<width { first[x] = first[x] &* gain &+ offset }
            if corrects {
                let place = row + (grid.isOddY ? 1 : 0)
                let near = grid.hasHalfRows ? place / 2 : row
                let far = grid.hasHalfRows ? min(max(place % 2 == 0 ? near - 1 : near + 1, 0), chromaHeight - 1) : row
                interpolate(rows + near * chromaWidth, rows + far * chromaWidth, chromaWidth, mixed: third, to: second)
                let correction = second + (grid.isOddX ? 1 : 0)
                for x in 0..<width { first[x] &+= correction[x] }
            }
            for x in 0..<width { first[x] &>>= 14 }
            store(first, to: target.y, row)
        }
    }

    /// Twice as many values as are given of two rows, each three quarters of the near one and a quarter of the far one, either way.
    private func interpolate(
        _ near: UnsafePointer<Int32>, _ far: UnsafePointer<Int32>, _ count: Int, mixed: UnsafeMutablePointer<Int32>,
        to target: UnsafeMutablePointer<Int32>
    ) {
        for x in 0..<count { mixed[x] = 3 &* near[x] &+ far[x] }
        for x in 0..<count {
            target[2 * x] = (3 &* mixed[x] &+ mixed[max(x - 1, 0)]) &>> 4
            target[2 * x + 1] = (3 &* mixed[x] &+ mixed[min(x + 1, count - 1)]) &>> 4
        }
    }

    private func load(_ plane: SamplePlane, _ row: Int, to values: UnsafeMutablePointer<Int32>) {
        if plane.bytesPerSample == 1 {
            let samples = plane.row(row).asSamples
            for x in 0..<plane.width { values[x] = Int32(samples[x]) }
        } else {
            let samples = plane.row(row).asWideSamples
            for x in 0..<plane.width { values[x] = Int32(samples[x]) }
        }
    }

    private func store(_ values: UnsafePointer<Int32>, to plane: MutableSamplePlane, _ row: Int) {
        if plane.bytesPerSample == 1 {
            let samples = plane.row(row).asSamples
            for x in 0..<plane.width { samples[x] = UInt8(truncatingIfNeeded: min(max(values[x], 0), largest)) }
        } else {
            let samples = plane.row(row).asWideSamples
            for x in 0..<plane.width { samples[x] = UInt16(truncatingIfNeeded: min(max(values[x], 0), largest)) }
        }
    }
}
