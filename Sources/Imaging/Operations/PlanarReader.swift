import CYUV
import MediaTypes

/// Luma and both kinds of chroma, a plane of each.
struct PlanarSamples<Plane> {
    var y: Plane
    var u: Plane
    var v: Plane
}

/// Shows any frame as planes of one kind of sample each; splits into memory of its own what lies otherwise.
final class PlanarReader {
    private let (luma, u, v) = (ScratchMemory(), ScratchMemory(), ScratchMemory())

    /// Good until the next call, and for as long as the frame.
    func planes(of frame: FrameView) -> PlanarSamples<SamplePlane> {
        let format = frame.format
        switch format.pixelFormat {
        case .i420, .i422, .i010, .i210:
            return PlanarSamples(y: plane(0, of: frame), u: plane(1, of: frame), v: plane(2, of: frame))
        case .nv12: return PlanarSamples(y: plane(0, of: frame), chroma: split(frame))
        case .p010: return PlanarSamples(y: lowered(frame), chroma: split(frame))
        case .yuy2, .uyvy: return unpacked(frame)
        }
    }

    private func plane(_ index: Int, of frame: FrameView) -> SamplePlane {
        let (format, bytes) = (frame.format, frame.format.pixelFormat.bytesPerSample)
        let width = index == 0 ? format.size.width : (format.size.width + 1) / 2
        return SamplePlane(
            base: frame.planes[index].base, bytesPerRow: frame.planes[index].bytesPerRow, width: width,
            height: format.rows(ofPlane: index), bytesPerSample: bytes)
    }

    private func split(_ frame: FrameView) -> (MutableSamplePlane, MutableSamplePlane) {
        let both = plane(1, of: frame)
        let (width, height, bytes) = (both.width, both.height, both.bytesPerSample)
        let first = MutableSamplePlane(in: u, width: width, height: height, bytesPerSample: bytes)
        let second = MutableSamplePlane(in: v, width: width, height: height, bytesPerSample: bytes)
        if bytes == 1 {
            SplitUVPlane(
                both.base.asSamples, Int32(both.bytesPerRow), first.base.asSamples, Int32(first.bytesPerRow),
                second.base.asSamples, Int32(second.bytesPerRow), Int32(width), Int32(height))
        } else {
            SplitUVPlane_16(
                both.base.asWideSamples, Int32(both.bytesPerRow / 2), first.base.asWideSamples,
                Int32(first.bytesPerRow / 2), second.base.asWideSamples, Int32(second.bytesPerRow / 2), Int32(width),
                Int32(height), 10)
        }
        return (first, second)
    }

    private func lowered(_ frame: FrameView) -> SamplePlane {
        let source = plane(0, of: frame)
        let target = MutableSamplePlane(in: luma, width: source.width, height: source.height, bytesPerSample: 2)
        ConvertToLSBPlane_16(
            source.base.asWideSamples, Int32(source.bytesPerRow / 2), target.base.asWideSamples,
            Int32(target.bytesPerRow / 2), Int32(source.width), Int32(source.height), 10)
        return target.readable
    }

    private func unpacked(_ frame: FrameView) -> PlanarSamples<SamplePlane> {
        let size = frame.format.size
        let y = MutableSamplePlane(in: luma, width: size.width, height: size.height, bytesPerSample: 1)
        let half = (size.width + 1) / 2
        let first = MutableSamplePlane(in: u, width: half, height: size.height, bytesPerSample: 1)
        let second = MutableSamplePlane(in: v, width: half, height: size.height, bytesPerSample: 1)
        let convert = frame.format.pixelFormat == .yuy2 ? YUY2ToI422 : UYVYToI422
        _ = convert(
            frame.planes[0].base.asSamples, Int32(frame.planes[0].bytesPerRow), y.base.asSamples,
            Int32(y.bytesPerRow), first.base.asSamples, Int32(first.bytesPerRow), second.base.asSamples,
            Int32(second.bytesPerRow), Int32(size.width), Int32(size.height))
        return PlanarSamples(y: y.readable, chroma: (first, second))
    }
}

extension PlanarSamples<SamplePlane> {
    fileprivate init(y: SamplePlane, chroma: (MutableSamplePlane, MutableSamplePlane)) {
        self.init(y: y, u: chroma.0.readable, v: chroma.1.readable)
    }
}

extension PlanarSamples<MutableSamplePlane> {
    var readable: PlanarSamples<SamplePlane> { .init(y: y.readable, u: u.readable, v: v.readable) }
}
