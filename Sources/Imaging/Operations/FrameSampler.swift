import MediaTypes

/// Where pixels are put: so many from an odd or even column and row of the target on.
///
/// A sample of chroma stands for two columns of the target, and of 4:2:0 for two rows. A part that begins in the second of the two
/// shares it with what lies beside, so one sample of chroma more may be needed.
struct SampleGrid: Hashable {
    let width: Int
    let height: Int
    /// Whether the first column or row is the second of its chroma sample.
    let isOddX: Bool
    /// Never where each row has its own chroma.
    let isOddY: Bool
    /// Whether its last column or row is the first of its chroma sample, whose second one does not exist: the target ends there.
    let endsX: Bool
    let endsY: Bool
    /// Whether two rows have one of chroma: 4:2:0 and not 4:2:2.
    let hasHalfRows: Bool

    var chromaWidth: Int { (width + (isOddX ? 1 : 0) + 1) / 2 }
    var chromaHeight: Int { hasHalfRows ? (height + (isOddY ? 1 : 0) + 1) / 2 : height }

    /// That of a rectangle in a target of a size.
    init(_ place: PixelRectangle, in size: VideoSize, hasHalfRows: Bool) {
        self.hasHalfRows = hasHalfRows
        (width, height, isOddX) = (place.width, place.height, place.x & 1 == 1)
        isOddY = hasHalfRows && place.y & 1 == 1
        endsX = place.right == size.width && size.width % 2 == 1
        endsY = hasHalfRows && place.bottom == size.height && size.height % 2 == 1
    }

    /// That of a rectangle around another, which shares no edge with the target's.
    init(around grid: SampleGrid, left: Int, top: Int, width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        hasHalfRows = grid.hasHalfRows
        (isOddX, isOddY) = (grid.isOddX != (left % 2 == 1), hasHalfRows && grid.isOddY != (top % 2 == 1))
        (endsX, endsY) = (false, false)
    }

    /// Whether samples of chroma at its edge stand for pixels beside it too.
    var sharesChroma: Bool {
        isOddX || isOddY || (width + (isOddX ? 1 : 0)) % 2 == 1 && !endsX
            || hasHalfRows && (height + (isOddY ? 1 : 0)) % 2 == 1 && !endsY
    }
}

/// Makes planes of the size, colors and bit depth that are wanted of a part of any frame. It keeps its memory.
final class FrameSampler {
    private let reader = PlanarReader()
    private let scaler = PlaneScaler()
    private let rows = ScratchMemory()
    private let scaled = [ScratchMemory(), ScratchMemory(), ScratchMemory()]
    private let converted = [ScratchMemory(), ScratchMemory(), ScratchMemory()]

    /// - Parameter target: Where the planes are put; left out: memory of the sampler, good until the next call.
    func sample(
        _ frame: FrameView, crop: CropRectangle, grid: SampleGrid, color: ColorEncoding, bitDepth: Int,
        into target: PlanarSamples<MutableSamplePlane>? = nil
    ) -> PlanarSamples<MutableSamplePlane> {
        let source = reader.planes(of: frame)
        let depth = frame.format.pixelFormat.bitDepth
        let transform = ColorTransform(from: frame.format.color, bitDepth: depth, to: color, bitDepth: bitDepth)
        let first = transform.isIdentity ? target ?? planes(scaled, grid, depth) : planes(scaled, grid, depth)
        scale(source, crop: crop, grid: grid, hasHalfRows: frame.format.pixelFormat.hasHalfChromaRows, to: first)
        if transform.isIdentity { return first }
        let result = target ?? (depth == bitDepth ? first : planes(converted, grid, bitDepth))
        transform.apply(first.readable, grid, to: result, using: rows)
        return result
    }

    private func planes(_ memory: [ScratchMemory], _ grid: SampleGrid, _ depth: Int) -> PlanarSamples<
        MutableSamplePlane
    > {
        let (width, height, bytes) = (grid.chromaWidth, grid.chromaHeight, depth == 8 ? 1 : 2)
        return PlanarSamples(
            y: MutableSamplePlane(in: memory[0], width: grid.width, height: grid.height, bytesPerSample: bytes),
            u: MutableSamplePlane(in: memory[1], width: width, height: height, bytesPerSample: bytes),
            v: MutableSamplePlane(in: memory[2], width: width, height: height, bytesPerSample: bytes))
    }

    private func scale(
        _ source: PlanarSamples<SamplePlane>, crop: CropRectangle, grid: SampleGrid, hasHalfRows: Bool,
        to target: PlanarSamples<MutableSamplePlane>
    ) {
        let (stepX, stepY) = (crop.width / Double(grid.width), crop.height / Double(grid.height))
        let lumaX = ResamplingSpan(
            origin: crop.x, step: stepX, count: grid.width, lower: crop.x, upper: crop.x + crop.width)
        let lumaY = ResamplingSpan(
            origin: crop.y, step: stepY, count: grid.height, lower: crop.y, upper: crop.y + crop.height)
        scaler.scale(source.y, x: lumaX, y: lumaY, to: target.y)
        let chromaX = lumaX.chroma(
            isOdd: grid.isOddX, count: grid.chromaWidth, share: 2, targetShare: 2, limit: source.u.width)
        let chromaY = lumaY.chroma(
            isOdd: grid.isOddY, count: grid.chromaHeight, share: hasHalfRows ? 2 : 1,
            targetShare: grid.hasHalfRows ? 2 : 1, limit: source.u.height)
        scaler.scale(source.u, x: chromaX, y: chromaY, to: target.u)
        scaler.scale(source.v, x: chromaX, y: chromaY, to: target.v)
    }
}

extension ResamplingSpan {
    /// The span of chroma beside one of luma.
    ///
    /// - Parameters:
    ///   - isOdd: Whether the first of luma is the second of the first of chroma.
    ///   - share: How many samples of luma in the source have one of chroma.
    ///   - targetShare: The same in the target.
    ///   - limit: How many samples of chroma there are: the last may stand for one of luma only.
    fileprivate func chroma(
        isOdd: Bool, count: Int, share: Double, targetShare: Double, limit: Int
    ) -> ResamplingSpan {
        ResamplingSpan(
            origin: (origin - (isOdd ? step : 0)) / share, step: targetShare * step / share, count: count,
            lower: lower / share, upper: min(upper / share, Double(limit)))
    }
}
