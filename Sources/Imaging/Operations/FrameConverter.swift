import CYUV
package import MediaTypes

/// Why frames cannot be processed.
package enum ImagingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Frames of this format can be read, but not written.
    case unwritableFormat(PixelFormat)

    package var description: String {
        switch self {
        case .unwritableFormat(let format):
            "frames of the format \(format.rawValue) cannot be written like that; use i420, nv12, i010 or p010"
        }
    }
}

/// Brings frames to another format, size, orientation and other colors, without a detour through red, green and blue.
///
/// It keeps its weights and memory, so one converter serves frames of one kind; one thread at a time may use it.
package final class FrameConverter {
    private let sampler = FrameSampler()
    private let mirrored = [ScratchMemory(), ScratchMemory(), ScratchMemory()]
    private let turned = [ScratchMemory(), ScratchMemory(), ScratchMemory()]

    package init() {}

    /// Writes a frame into all of another one, whatever its shape.
    ///
    /// - Parameters:
    ///   - crop: What of the frame, before it is turned; left out: all.
    ///   - rotation: Clockwise, after mirroring.
    ///   - isMirrored: Whether left and right are exchanged.
    ///   - target: Of 4:2:0, 8 or 10 bit; of 4:2:2 where width and height stay what they are, as a quarter turn would leave each
    ///     with the other's chroma.
    /// - Throws: ``ImagingError/unwritableFormat(_:)``.
    package func convert(
        _ frame: FrameView, crop: CropRectangle? = nil, rotation: MovieOrientation.Rotation = .none,
        isMirrored: Bool = false,
        to target: MutableFrameView
    ) throws(ImagingError) {
        let format = target.format
        let hasHalfRows = format.pixelFormat.hasHalfChromaRows
        guard format.pixelFormat.isWritable, hasHalfRows || !rotation.swapsWidthAndHeight else {
            throw .unwritableFormat(format.pixelFormat)
        }
        var size = format.size
        if rotation.swapsWidthAndHeight { (size.width, size.height) = (size.height, size.width) }
        let whole = CropRectangle(
            x: 0, y: 0, width: Double(frame.format.size.width), height: Double(frame.format.size.height))
        let crop = crop?.cut(to: frame.format.size) ?? whole
        guard crop.width > 0, crop.height > 0 else { return }
        let grid = SampleGrid(
            PixelRectangle(x: 0, y: 0, width: size.width, height: size.height), in: size, hasHalfRows: hasHalfRows)
        let planes = FrameWriter.planes(of: target)
        let isUpright = rotation == .none && !isMirrored
        let sampled = sampler.sample(
            frame, crop: crop, grid: grid, color: format.color, bitDepth: format.pixelFormat.bitDepth,
            into: isUpright ? planes : nil)
        if isUpright {
            if planes == nil { FrameWriter.write(sampled.readable, to: target) }
            return
        }
        let unrotated = isMirrored ? mirror(sampled.readable) : sampled.readable
        guard rotation != .none else { return FrameWriter.write(unrotated, to: target) }
        let result = planes ?? scratch(turned, like: unrotated, swapped: rotation.swapsWidthAndHeight)
        rotate(unrotated.y, by: rotation.mode, to: result.y)
        rotate(unrotated.u, by: rotation.mode, to: result.u)
        rotate(unrotated.v, by: rotation.mode, to: result.v)
        if planes == nil { FrameWriter.write(result.readable, to: target) }
    }

    private func mirror(_ planes: PlanarSamples<SamplePlane>) -> PlanarSamples<SamplePlane> {
        let result = scratch(mirrored, like: planes, swapped: false)
        planes.y.mirror(to: result.y)
        planes.u.mirror(to: result.u)
        planes.v.mirror(to: result.v)
        return result.readable
    }

    private func scratch(
        _ memory: [ScratchMemory], like planes: PlanarSamples<SamplePlane>, swapped: Bool
    ) -> PlanarSamples<MutableSamplePlane> {
        func plane(_ index: Int, _ plane: SamplePlane) -> MutableSamplePlane {
            MutableSamplePlane(
                in: memory[index], width: swapped ? plane.height : plane.width,
                height: swapped ? plane.width : plane.height, bytesPerSample: plane.bytesPerSample)
        }
        return PlanarSamples(y: plane(0, planes.y), u: plane(1, planes.u), v: plane(2, planes.v))
    }
}

extension MovieOrientation.Rotation {
    fileprivate var mode: RotationMode {
        switch self {
        case .none: kRotate0
        case .quarter: kRotate90
        case .half: kRotate180
        case .threeQuarters: kRotate270
        }
    }
}

extension SamplePlane {
    /// Left and right exchanged. libyuv has no such function for more than 8 bits.
    fileprivate func mirror(to target: MutableSamplePlane) {
        if bytesPerSample == 1 {
            MirrorPlane(
                base.asSamples, Int32(bytesPerRow), target.base.asSamples, Int32(target.bytesPerRow), Int32(width),
                Int32(height))
            return
        }
        for row in 0..<height {
            let (from, to) = (self.row(row).asWideSamples, target.row(row).asWideSamples)
            for x in 0..<width { to[x] = from[width - 1 - x] }
        }
    }
}
