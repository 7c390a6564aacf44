/// A frame in memory that somebody else owns: ``FrameView`` to be read, ``MutableFrameView`` to be written.
///
/// It holds pointers and keeps nothing alive: it is good for as long as its memory is, so it is made and used inside of the
/// closure that maps a buffer (``FrameBuffer/withView(_:)``), and never stored.
package struct PlanarView<Pointer: Strideable> where Pointer.Stride == Int {
    /// The first byte of a plane.
    package struct Plane {
        package let base: Pointer
        /// Bytes from one row to the next; at least those of a row.
        package let bytesPerRow: Int

        package init(_ base: Pointer, bytesPerRow: Int) { (self.base, self.bytesPerRow) = (base, bytesPerRow) }
    }

    package let format: ImageFormat
    package let planes: [Plane]

    /// - Parameter planes: as many as the format has; in formats of more than 8 bits aligned to 2 bytes.
    package init(_ format: ImageFormat, planes: [Plane]) {
        precondition(planes.count == format.pixelFormat.planeCount, "a plane of the frame is missing")
        (self.format, self.planes) = (format, planes)
    }

    /// A frame whose planes follow each other without padding, as in a raw file.
    ///
    /// - Parameter bytes: at least ``ImageFormat/byteCount`` of them.
    package init(_ format: ImageFormat, packedAt bytes: Pointer) {
        var next = bytes
        self.init(
            format,
            planes: (0..<format.pixelFormat.planeCount).map { index in
                defer { next = next.advanced(by: format.bytesPerRow(ofPlane: index) * format.rows(ofPlane: index)) }
                return Plane(next, bytesPerRow: format.bytesPerRow(ofPlane: index))
            })
    }
}

/// A frame to be read.
package typealias FrameView = PlanarView<UnsafeRawPointer>
/// A frame that nobody else uses meanwhile, to be written.
package typealias MutableFrameView = PlanarView<UnsafeMutableRawPointer>

extension MutableFrameView {
    /// The same, to be read.
    package var view: FrameView {
        FrameView(format, planes: planes.map { .init(UnsafeRawPointer($0.base), bytesPerRow: $0.bytesPerRow) })
    }
}
