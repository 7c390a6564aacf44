import MediaTypes

/// Draws frames into another one, in place: what no rectangle covers is neither read nor written.
///
/// It scales, brings colors and bit depth to the output's, cuts round corners, and draws border and shadow. Masks and weights are
/// computed once for a geometry and kept, so one composer serves one output; one thread at a time may use it.
package final class FrameComposer {
    /// Of borders.
    package var borderColor = FrameColor.white
    private let sampler = FrameSampler()
    private let (constant, merged) = (ScratchMemory(), ScratchMemory())
    private var masks: [InsetMask.Key: InsetMask] = [:]

    package init() {}

    /// Draws a frame where a layout places it.
    ///
    /// - Parameters:
    ///   - frame: Of any format and colors. A crop that leaves it is cut to it.
    ///   - output: Of 4:2:0 or 4:2:2, 8 or 10 bit; holds what lies behind.
    /// - Throws: ``ImagingError/unwritableFormat(_:)``.
    package func draw(
        _ frame: FrameView, at placement: FeedPlacement, into output: MutableFrameView
    ) throws(ImagingError) {
        try Self.checkWritable(output)
        let (size, place) = (output.format.size, placement.rectangle)
        let whole = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
        let crop = placement.crop.cut(to: frame.format.size)
        guard place.overlaps(whole), placement.opacity > 0, crop.width > 0, crop.height > 0 else { return }
        let hasHalfRows = output.format.pixelFormat.hasHalfChromaRows
        let grid = SampleGrid(place, in: size, hasHalfRows: hasHalfRows)
        let mask = mask(for: placement, grid)
        let (color, depth) = (output.format.color, output.format.pixelFormat.bitDepth)
        if mask.shape == nil, mask.border == nil, mask.shadow == nil, whole.contains(place),
            let planes = FrameWriter.planes(of: output)
        {
            _ = sampler.sample(
                frame, crop: crop, grid: grid, color: color, bitDepth: depth,
                into: planes.part(place, hasHalfRows: hasHalfRows))
            return
        }
        let inset = sampler.sample(frame, crop: crop, grid: grid, color: color, bitDepth: depth)
        if let border = mask.border { drawBorder(border, into: inset, output.format) }
        let targets = Self.targets(of: output)
        if let shadow = mask.shadow { drawShadow(shadow, into: targets, output.format, place) }
        blend(inset.readable, mask.shape, into: targets, output.format, place)
    }

    /// Fills a part of the output, or all of it, with a color.
    ///
    /// - Throws: ``ImagingError/unwritableFormat(_:)``.
    package func fill(
        _ rectangle: PixelRectangle? = nil, of output: MutableFrameView, with color: FrameColor = .black
    ) throws(ImagingError) {
        try Self.checkWritable(output)
        let size = output.format.size
        let whole = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
        let place = (rectangle ?? whole).intersection(whole)
        guard !place.isEmpty else { return }
        let grid = SampleGrid(place, in: size, hasHalfRows: output.format.pixelFormat.hasHalfChromaRows)
        let placement = FeedPlacement(
            feed: 0, rectangle: place, crop: CropRectangle(x: 0, y: 0, width: 1, height: 1))
        let mask = mask(for: placement, grid)
        blend(color, mask.shape, grid, into: Self.targets(of: output), output.format, place)
    }

    private static func checkWritable(_ output: MutableFrameView) throws(ImagingError) {
        let format = output.format.pixelFormat
        guard format.isWritable else { throw .unwritableFormat(format) }
    }

    private func mask(for placement: FeedPlacement, _ grid: SampleGrid) -> InsetMask {
        let half = Double(min(grid.width, grid.height)) / 2
        let key = InsetMask.Key(
            grid: grid, cornerRadius: min(max(placement.cornerRadius, 0), half),
            borderWidth: min(max(placement.borderWidth, 0), half), shadowRadius: max(placement.shadowRadius, 0),
            opacity: min(placement.opacity, 1))
        if let known = masks[key] { return known }
        // While an inset moves each frame has another shape.
        if masks.count >= 8 { masks.removeAll() }
        let made = InsetMask(key)
        masks[key] = made
        return made
    }
}

// MARK: Drawing

extension FrameComposer {
    /// Luma, and U and V, apart or in turn.
    private static func targets(of output: MutableFrameView) -> [BlendTarget] {
        let (format, size) = (output.format, output.format.size)
        let bytes = format.pixelFormat.bytesPerSample
        return output.planes.enumerated().map { index, plane in
            BlendTarget(
                plane: MutableSamplePlane(
                    plane, width: index == 0 ? size.width : (size.width + 1) / 2, height: format.rows(ofPlane: index),
                    bytesPerSample: bytes),
                isInterleaved: index > 0 && output.planes.count == 2, isRaised: format.pixelFormat == .p010)
        }
    }

    private func drawBorder(
        _ border: AlphaPlanes, into inset: PlanarSamples<MutableSamplePlane>, _ format: ImageFormat
    ) {
        let samples = borderColor.samples(format.color, bitDepth: format.pixelFormat.bitDepth)
        for (plane, alpha, sample) in [
            (inset.y, border.y, samples[0]), (inset.u, border.chroma, samples[1]), (inset.v, border.chroma, samples[2]),
        ] {
            let row = row(of: [sample], width: plane.width, height: plane.height, plane.bytesPerSample)
            PlaneBlender.blend(row, alpha, into: BlendTarget(plane: plane), x: 0, y: 0)
        }
    }

    private func drawShadow(
        _ shadow: InsetMask.Shadow, into targets: [BlendTarget], _ format: ImageFormat, _ place: PixelRectangle
    ) {
        let around = PixelRectangle(
            x: place.x - shadow.left, y: place.y - shadow.top, width: shadow.grid.width, height: shadow.grid.height)
        blend(.black, shadow.alpha, shadow.grid, into: targets, format, around)
    }

    /// A color.
    private func blend(
        _ color: FrameColor, _ alpha: AlphaPlanes?, _ grid: SampleGrid, into targets: [BlendTarget],
        _ format: ImageFormat, _ place: PixelRectangle
    ) {
        let depth = format.pixelFormat.bitDepth
        var samples = color.samples(format.color, bitDepth: depth)
        if format.pixelFormat == .p010 { samples = samples.map { $0 << 6 } }
        for (index, target) in targets.enumerated() {
            let values = index == 0 ? [samples[0]] : target.isInterleaved ? Array(samples[1...]) : [samples[index]]
            let row = row(
                of: values, width: index == 0 ? grid.width : grid.chromaWidth,
                height: index == 0 ? grid.height : grid.chromaHeight, target.plane.bytesPerSample)
            PlaneBlender.blend(
                row, index == 0 ? alpha?.y : alpha?.chroma, into: target, x: index == 0 ? place.x : place.x >> 1,
                y: index == 0 || !grid.hasHalfRows ? place.y : place.y >> 1)
        }
    }

    /// Planes.
    private func blend(
        _ inset: PlanarSamples<SamplePlane>, _ alpha: AlphaPlanes?, into targets: [BlendTarget], _ format: ImageFormat,
        _ place: PixelRectangle
    ) {
        var luma = inset.y
        if format.pixelFormat == .p010 {
            let raised = MutableSamplePlane(in: merged, width: luma.width, height: luma.height, bytesPerSample: 2)
            FrameWriter.raise(luma, to: raised.base, bytesPerRow: raised.bytesPerRow)
            luma = raised.readable
        }
        PlaneBlender.blend(luma, alpha?.y, into: targets[0], x: place.x, y: place.y)
        var chroma = [inset.u, inset.v]
        if targets.count == 2 {
            let (width, bytes) = (inset.u.width, inset.u.bytesPerSample)
            let both = MutableSamplePlane(in: merged, width: 2 * width, height: inset.u.height, bytesPerSample: bytes)
            FrameWriter.merge(inset.u, inset.v, to: both.base, bytesPerRow: both.bytesPerRow)
            // Counted in pairs.
            var pairs = both.readable
            pairs.width = width
            chroma = [pairs]
        }
        let y = format.pixelFormat.hasHalfChromaRows ? place.y >> 1 : place.y
        for (source, target) in zip(chroma, targets.dropFirst()) {
            PlaneBlender.blend(source, alpha?.chroma, into: target, x: place.x >> 1, y: y)
        }
    }

    /// One row that stands for all, of the values in turn.
    private func row(of values: [UInt16], width: Int, height: Int, _ bytesPerSample: Int) -> SamplePlane {
        let count = width * values.count
        let bytes = constant.bytes(count * bytesPerSample)
        if bytesPerSample == 1 {
            for x in 0..<count { bytes.asSamples[x] = UInt8(truncatingIfNeeded: values[x % values.count]) }
        } else {
            for x in 0..<count { bytes.asWideSamples[x] = values[x % values.count] }
        }
        return SamplePlane(
            base: UnsafeRawPointer(bytes), bytesPerRow: 0, width: width, height: height, bytesPerSample: bytesPerSample)
    }
}

extension PlanarSamples<MutableSamplePlane> {
    /// A part that begins at an even column and, where two rows have one of chroma, row.
    fileprivate func part(_ place: PixelRectangle, hasHalfRows: Bool) -> Self {
        func part(_ plane: MutableSamplePlane, _ x: Int, _ y: Int, _ width: Int, _ height: Int) -> MutableSamplePlane {
            var part = plane
            part.base = plane.row(y) + x * plane.bytesPerSample
            (part.width, part.height) = (width, height)
            return part
        }
        let (x, width) = (place.x / 2, (place.width + 1) / 2)
        let (y, height) = hasHalfRows ? (place.y / 2, (place.height + 1) / 2) : (place.y, place.height)
        return PlanarSamples(
            y: part(self.y, place.x, place.y, place.width, place.height), u: part(u, x, y, width, height),
            v: part(v, x, y, width, height))
    }
}
