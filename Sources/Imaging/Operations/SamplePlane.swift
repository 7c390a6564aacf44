import CYUV

/// Samples of one kind in rows, of one or two bytes each; two bytes hold 10 bits in the lower ones.
struct SamplePlane {
    var base: UnsafeRawPointer
    /// In bytes.
    var bytesPerRow: Int
    /// In samples.
    var width: Int
    var height: Int
    /// 1 or 2.
    var bytesPerSample: Int

    func row(_ index: Int) -> UnsafeRawPointer { base + index * bytesPerRow }

    /// A plane within it, from a column and a row on.
    func part(x: Int, y: Int, width: Int, height: Int) -> SamplePlane {
        SamplePlane(
            base: row(y) + x * bytesPerSample, bytesPerRow: bytesPerRow, width: width, height: height,
            bytesPerSample: bytesPerSample)
    }

    func copy(to target: MutableSamplePlane) {
        CopyPlane(
            base.asSamples, Int32(bytesPerRow), target.base.asSamples, Int32(target.bytesPerRow),
            Int32(width * bytesPerSample), Int32(height))
    }
}

/// A ``SamplePlane`` that is written.
struct MutableSamplePlane {
    var base: UnsafeMutableRawPointer
    /// In bytes.
    var bytesPerRow: Int
    /// In samples.
    var width: Int
    var height: Int
    /// 1 or 2.
    var bytesPerSample: Int

    /// Rows at multiples of 64 bytes in memory of the caller.
    init(in memory: ScratchMemory, width: Int, height: Int, bytesPerSample: Int) {
        bytesPerRow = (width * bytesPerSample + 63) & ~63
        base = memory.bytes(bytesPerRow * height)
        (self.width, self.height, self.bytesPerSample) = (width, height, bytesPerSample)
    }

    init(_ plane: MutableFrameView.Plane, width: Int, height: Int, bytesPerSample: Int) {
        (base, bytesPerRow) = (plane.base, plane.bytesPerRow)
        (self.width, self.height, self.bytesPerSample) = (width, height, bytesPerSample)
    }

    var readable: SamplePlane {
        SamplePlane(
            base: UnsafeRawPointer(base), bytesPerRow: bytesPerRow, width: width, height: height,
            bytesPerSample: bytesPerSample)
    }

    func row(_ index: Int) -> UnsafeMutableRawPointer { base + index * bytesPerRow }
}

extension UnsafeRawPointer {
    /// As libyuv wants bytes.
    var asSamples: UnsafePointer<UInt8> { assumingMemoryBound(to: UInt8.self) }
    /// As libyuv wants samples of more than 8 bits.
    var asWideSamples: UnsafePointer<UInt16> { assumingMemoryBound(to: UInt16.self) }
}

extension UnsafeMutableRawPointer {
    /// As libyuv wants bytes.
    var asSamples: UnsafeMutablePointer<UInt8> { assumingMemoryBound(to: UInt8.self) }
    /// As libyuv wants samples of more than 8 bits.
    var asWideSamples: UnsafeMutablePointer<UInt16> { assumingMemoryBound(to: UInt16.self) }
}

/// Memory that grows as it is asked for more, and is used again and again: frames follow each other in the same sizes.
final class ScratchMemory {
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0

    deinit { memory?.deallocate() }

    /// At least so many bytes, at a multiple of 64; what was there before may be gone. Good until the next call.
    func bytes(_ count: Int) -> UnsafeMutableRawPointer {
        if let memory, count <= capacity { return memory }
        memory?.deallocate()
        capacity = max(count, 64)
        let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
        memory = grown
        return grown
    }
}
