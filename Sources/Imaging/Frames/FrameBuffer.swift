/// Memory for one frame, freed with it; its rows begin at multiples of 64 bytes.
///
/// Each plane has space for an even number of rows: libjpeg-turbo reads and writes whole pairs where chroma has half of them.
///
/// One thread at a time may use it. Whoever makes many frames keeps a few of these and uses them again.
package final class FrameBuffer {
    package let format: ImageFormat
    private let memory: UnsafeMutableRawPointer
    private let planes: [MutableFrameView.Plane]

    /// Its samples are 0 at first.
    package init(_ format: ImageFormat) {
        self.format = format
        let strides = (0..<format.pixelFormat.planeCount).map { (format.bytesPerRow(ofPlane: $0) + 63) & ~63 }
        let sizes = strides.enumerated().map { $1 * ((format.rows(ofPlane: $0) + 1) & ~1) }
        let count = sizes.reduce(0, +)
        memory = .allocate(byteCount: count, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
        var next = memory
        planes = zip(strides, sizes).map { stride, size in
            defer { next += size }
            return MutableFrameView.Plane(next, bytesPerRow: stride)
        }
    }

    deinit { memory.deallocate() }

    /// Lends the frame to be read.
    package func withView<Result, Failure: Error>(
        _ body: (FrameView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(MutableFrameView(format, planes: planes).view)
    }

    /// Lends the frame to be written.
    package func withMutableView<Result, Failure: Error>(
        _ body: (MutableFrameView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(MutableFrameView(format, planes: planes))
    }
}
