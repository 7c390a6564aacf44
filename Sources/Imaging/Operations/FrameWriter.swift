import CYUV
import MediaTypes

/// Puts planes into a frame of a format that keeps them otherwise.
enum FrameWriter {
    /// The planes of a frame that has one for each kind of sample: they can be written in place.
    static func planes(of frame: MutableFrameView) -> PlanarSamples<MutableSamplePlane>? {
        let format = frame.format
        guard format.pixelFormat.planeCount == 3 else { return nil }
        func plane(_ index: Int) -> MutableSamplePlane {
            MutableSamplePlane(
                frame.planes[index], width: index == 0 ? format.size.width : (format.size.width + 1) / 2,
                height: format.rows(ofPlane: index), bytesPerSample: format.pixelFormat.bytesPerSample)
        }
        return PlanarSamples(y: plane(0), u: plane(1), v: plane(2))
    }

    /// U and V in turn, as they lie in NV12 or, in the upper bits, in P010.
    static func merge(_ u: SamplePlane, _ v: SamplePlane, to target: UnsafeMutableRawPointer, bytesPerRow: Int) {
        let (width, height) = (Int32(u.width), Int32(u.height))
        if u.bytesPerSample == 1 {
            MergeUVPlane(
                u.base.asSamples, Int32(u.bytesPerRow), v.base.asSamples, Int32(v.bytesPerRow), target.asSamples,
                Int32(bytesPerRow), width, height)
        } else {
            MergeUVPlane_16(
                u.base.asWideSamples, Int32(u.bytesPerRow / 2), v.base.asWideSamples, Int32(v.bytesPerRow / 2),
                target.asWideSamples, Int32(bytesPerRow / 2), width, height, 10)
        }
    }

    /// Samples of 10 bits in the upper bits, as they lie in P010.
    static func raise(_ plane: SamplePlane, to target: UnsafeMutableRawPointer, bytesPerRow: Int) {
        ConvertToMSBPlane_16(
            plane.base.asWideSamples, Int32(plane.bytesPerRow / 2), target.asWideSamples, Int32(bytesPerRow / 2),
            Int32(plane.width), Int32(plane.height), 10)
    }

    /// Puts planes of the frame's size and bit depth there; of 4:2:0.
    static func write(_ planes: PlanarSamples<SamplePlane>, to frame: MutableFrameView) {
        if let targets = self.planes(of: frame) {
            planes.y.copy(to: targets.y)
            planes.u.copy(to: targets.u)
            planes.v.copy(to: targets.v)
            return
        }
        let luma = frame.planes[0]
        if planes.y.bytesPerSample == 2 {
            raise(planes.y, to: luma.base, bytesPerRow: luma.bytesPerRow)
        } else {
            planes.y.copy(
                to: MutableSamplePlane(luma, width: planes.y.width, height: planes.y.height, bytesPerSample: 1))
        }
        merge(planes.u, planes.v, to: frame.planes[1].base, bytesPerRow: frame.planes[1].bytesPerRow)
    }
}
