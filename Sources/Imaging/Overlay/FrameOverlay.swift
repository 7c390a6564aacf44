package import MediaTypes

/// An ``OverlayImage`` as frames of one format take it: luma and chroma, and how much of each sample is covered.
///
/// It is made once and drawn into all frames that show it. A sample of chroma is covered as much as its pixels are in the mean.
package struct FrameOverlay: Sendable {
    /// Samples of one kind in a rectangle of its plane.
    fileprivate struct Layer: Sendable {
        var x, y, width: Int
        /// The samples' values, multiplied by how much they cover.
        var values: [[Float]]
        var coverage: [Float]
        /// Where in each row anything is covered.
        var covered: [Range<Int>]
    }

    private let layout: GradedLayout
    private let luma: Layer
    private let chroma: Layer

    /// - Parameters:
    ///   - image: of the stored frame.
    ///   - size: of the frame, in pixels of luma.
    package init(_ image: OverlayImage, _ layout: GradedLayout, size: VideoSize, color: ColorEncoding) {
        self.layout = layout
        let frame = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
        let area = image.area.intersection(frame)
        let scale = SampleScale(color.range, bitDepth: layout.bitDepth)
        let (red, blue) = color.matrix.weights
        /// Luma, U, V and coverage, of a pixel; nothing outside of the image.
        func samples(_ x: Int, _ y: Int) -> SIMD4<Float> {
            guard x >= area.x, y >= area.y, x < area.right, y < area.bottom else { return .zero }
            let place = 4 * ((y - image.area.y) * image.area.width + x - image.area.x)
            let (r, g, b) = (image.pixels[place], image.pixels[place + 1], image.pixels[place + 2])
            let cover = image.pixels[place + 3]
            let luma = Float(red) * r + Float(1 - red - blue) * g + Float(blue) * b
            let (u, v) = ((b - luma) / Float(2 * (1 - blue)), (r - luma) / Float(2 * (1 - red)))
            return SIMD4(
                luma * Float(scale.luma.scale) + Float(scale.luma.offset) * cover,
                u * Float(scale.chroma.scale) + Float(scale.chroma.offset) * cover,
                v * Float(scale.chroma.scale) + Float(scale.chroma.offset) * cover, cover)
        }
        let (across, down) = (layout.halvesColumns ? 2 : 1, layout.halvesRows ? 2 : 1)
        luma = Layer(area, kinds: 1) { x, y in (SIMD2(samples(x, y)[0], 0), samples(x, y)[3]) }
        let (left, top) = (area.x / across, area.y / down)
        chroma = Layer(
            PixelRectangle(
                x: left, y: top, width: max(0, (area.right + across - 1) / across - left),
                height: max(0, (area.bottom + down - 1) / down - top)), kinds: 2
        ) { x, y in
            var sum = SIMD4<Float>.zero
            for row in 0..<down { for column in 0..<across { sum += samples(x * across + column, y * down + row) } }
            let mean = sum / Float(across * down)
            return (SIMD2(mean[1], mean[2]), mean[3])
        }
    }

    /// Draws it into a frame.
    ///
    /// - Parameter planes: as many as the layout has.
    package func draw(into planes: [MutableFrameView.Plane]) {
        guard planes.count >= (layout.interleavesChroma ? 2 : 3) else { return }
        func draw(_ layer: Layer, kind: Int, plane: Int, first: Int, step: Int) {
            let largest = Float((1 << layout.bitDepth) - 1)
            if layout.bitDepth == 8 {
                layer.draw(
                    kind, into: planes[plane], UInt8.self, first: first, step: step, shift: layout.shift,
                    largest: largest)
            } else {
                layer.draw(
                    kind, into: planes[plane], UInt16.self, first: first, step: step, shift: layout.shift,
                    largest: largest)
            }
        }
        draw(luma, kind: 0, plane: 0, first: 0, step: 1)
        for kind in 0..<2 {
            let isApart = !layout.interleavesChroma
            draw(chroma, kind: kind, plane: isApart ? 1 + kind : 1, first: isApart ? 0 : kind, step: isApart ? 1 : 2)
        }
    }
}

extension FrameOverlay.Layer {
    /// - Parameter samples: the values and the coverage of a sample.
    fileprivate init(
        _ area: PixelRectangle, kinds: Int, _ samples: (_ x: Int, _ y: Int) -> (SIMD2<Float>, Float)
    ) {
        let (width, height) = (max(0, area.width), max(0, area.height))
        (x, y, self.width) = (area.x, area.y, width)
        values = [[Float]](repeating: [Float](repeating: 0, count: width * height), count: kinds)
        coverage = [Float](repeating: 0, count: width * height)
        covered = []
        for row in 0..<height {
            var (first, last) = (width, 0)
            for column in 0..<width {
                let (value, cover) = samples(area.x + column, area.y + row)
                guard cover > 0 else { continue }
                for kind in 0..<kinds { values[kind][row * width + column] = value[kind] }
                coverage[row * width + column] = cover
                (first, last) = (min(first, column), column + 1)
            }
            covered.append(first < last ? first..<last : 0..<0)
        }
    }

    fileprivate func draw<Sample: FixedWidthInteger & UnsignedInteger>(
        _ kind: Int, into plane: MutableFrameView.Plane, _: Sample.Type, first: Int, step: Int, shift: Int,
        largest: Float
    ) {
        values[kind].withUnsafeBufferPointer { values in
            coverage.withUnsafeBufferPointer { coverage in
                for (row, columns) in covered.enumerated() where !columns.isEmpty {
                    let samples = (plane.base + (y + row) * plane.bytesPerRow).assumingMemoryBound(to: Sample.self)
                    for column in columns {
                        let place = row * width + column
                        let index = (x + column) * step + first
                        let own = Float(samples[index] >> shift)
                        let mixed = own * (1 - coverage[place]) + values[place] + 0.5
                        // Full chroma of the full range lies half a step above the largest sample.
                        samples[index] = Sample(truncatingIfNeeded: Int32(min(largest, max(0, mixed)))) << shift
                    }
                }
            }
        }
    }
}
