import CYUV

/// Scales planes. It keeps its weights and memory: the next frame has the same sizes.
///
/// By the exact mean of areas (a box filter with the parts of samples at its edges). libyuv's own box is exact for a few ratios
/// only, and does those with vector instructions: 2, 4, 4/3 and, by the two of them, 8/3. At others it takes whole samples, of
/// which some count more than their neighbors.
final class PlaneScaler {
    private var filters: [FilterKey: RowFilter] = [:]
    private let columns = ScratchMemory()
    private let turned = ScratchMemory()
    private let filtered = ScratchMemory()

    private struct FilterKey: Hashable {
        let span: ResamplingSpan
        let bytesPerSample: Int
    }

    /// - Parameters:
    ///   - x, y: Which samples of the source; as many as the target has.
    func scale(_ source: SamplePlane, x: ResamplingSpan, y: ResamplingSpan, to target: MutableSamplePlane) {
        if let left = x.copiedFrom, let top = y.copiedFrom {
            source.part(x: left, y: top, width: x.count, height: y.count).copy(to: target)
        } else if !scaleByLibrary(source, x: x, y: y, to: target) {
            filter(source, x: x, y: y, to: target)
        }
    }

    private func scaleByLibrary(
        _ source: SamplePlane, x: ResamplingSpan, y: ResamplingSpan, to target: MutableSamplePlane
    ) -> Bool {
        guard source.bytesPerSample == 1, let left = x.wholeFrom, let top = y.wholeFrom,
            abs(x.step - y.step) < 1e-9
        else { return false }
        let (width, height) = (x.samples.count, y.samples.count)
        let part = source.part(x: left, y: top, width: width, height: height)
        let isThreeQuarters = 3 * width == 4 * x.count && 3 * height == 4 * y.count
        let isHalf = width == 2 * x.count && height == 2 * y.count
        let isQuarter = width == 4 * x.count && height == 4 * y.count
        if isHalf || isQuarter || isThreeQuarters {
            box(part, to: target)
        } else if 3 * width == 8 * x.count, 3 * height == 8 * y.count {
            let half = MutableSamplePlane(in: columns, width: width / 2, height: height / 2, bytesPerSample: 1)
            box(part, to: half)
            box(half.readable, to: target)
        } else {
            return false
        }
        return true
    }

    private func box(_ source: SamplePlane, to target: MutableSamplePlane) {
        ScalePlane(
            source.base.asSamples, Int32(source.bytesPerRow), Int32(source.width), Int32(source.height),
            target.base.asSamples, Int32(target.bytesPerRow), Int32(target.width), Int32(target.height), kFilterBox)
    }

    /// Rows first, then, turned by 90°, columns.
    private func filter(
        _ source: SamplePlane, x: ResamplingSpan, y: ResamplingSpan, to target: MutableSamplePlane
    ) {
        let bytes = source.bytesPerSample
        let used = x.copiedFrom.map { $0..<$0 + x.count } ?? x.samples
        var part = source.part(x: used.lowerBound, y: 0, width: used.count, height: source.height)
        if let top = y.copiedFrom {
            part = part.part(x: 0, y: top, width: part.width, height: y.count)
        } else if x.copiedFrom != nil {
            return filter(for: y, bytes).apply(part, firstRow: 0, to: target)
        } else {
            let rows = MutableSamplePlane(in: columns, width: used.count, height: y.count, bytesPerSample: bytes)
            filter(for: y, bytes).apply(part, firstRow: 0, to: rows)
            part = rows.readable
        }
        let turned = MutableSamplePlane(in: turned, width: part.height, height: part.width, bytesPerSample: bytes)
        rotate(part, by: kRotate90, to: turned)
        let result = MutableSamplePlane(in: filtered, width: part.height, height: x.count, bytesPerSample: bytes)
        filter(for: x, bytes).apply(turned.readable, firstRow: used.lowerBound, to: result)
        rotate(result.readable, by: kRotate270, to: target)
    }

    private func filter(for span: ResamplingSpan, _ bytesPerSample: Int) -> RowFilter {
        let key = FilterKey(span: span, bytesPerSample: bytesPerSample)
        if let known = filters[key] { return known }
        // Of an inset that moves, each frame has others.
        if filters.count >= 64 { filters.removeAll() }
        let made = RowFilter(span, bytesPerSample: bytesPerSample)
        filters[key] = made
        return made
    }
}

/// Turns a plane clockwise.
func rotate(_ source: SamplePlane, by mode: RotationMode, to target: MutableSamplePlane) {
    let (width, height) = (Int32(source.width), Int32(source.height))
    if source.bytesPerSample == 1 {
        RotatePlane(
            source.base.asSamples, Int32(source.bytesPerRow), target.base.asSamples, Int32(target.bytesPerRow), width,
            height, mode)
    } else {
        RotatePlane_16(
            source.base.asWideSamples, Int32(source.bytesPerRow / 2), target.base.asWideSamples,
            Int32(target.bytesPerRow / 2), width, height, mode)
    }
}
