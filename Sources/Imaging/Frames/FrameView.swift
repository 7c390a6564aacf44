/// A frame in memory that somebody else owns, to be read.
///
/// It holds pointers and keeps nothing alive: it is good for as long as its memory is, so it is made and used inside of the
/// closure that maps a buffer (``FrameBuffer/withView(_:)``), and never stored.
package struct FrameView {
    /// The first byte of a plane.
    package struct Plane {
        package let base: UnsafeRawPointer
        /// Bytes from one row to the next; at least those of a row.
        package let bytesPerRow: Int

        package init(_ base: UnsafeRawPointer, bytesPerRow: Int) {
            (self.base, self.bytesPerRow) = (base, bytesPerRow)
        }
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
    package init(_ format: ImageFormat, packedAt bytes: UnsafeRawPointer) {
        var next = bytes
        self.init(
            format,
            planes: (0..<format.pixelFormat.planeCount).map { index in
                defer { next += format.bytesPerRow(ofPlane: index) * format.rows(ofPlane: index) }
                return Plane(next, bytesPerRow: format.bytesPerRow(ofPlane: index))
            })
    }
}

/// A frame in memory that somebody else owns and nobody else uses meanwhile, to be written. See ``FrameView``.
package struct MutableFrameView {
    /// The first byte of a plane.
    package struct Plane {
        package let base: UnsafeMutableRawPointer
        /// Bytes from one row to the next; at least those of a row.
        package let bytesPerRow: Int

        package init(_ base: UnsafeMutableRawPointer, bytesPerRow: Int) {
            (self.base, self.bytesPerRow) = (base, bytesPerRow)
        }
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
    package init(_ format: ImageFormat, packedAt bytes: UnsafeMutableRawPointer) {
        let view = FrameView(format, packedAt: bytes)
        self.init(
            format,
            planes: view.planes.map {
                Plane(UnsafeMutableRawPointer(mutating: $0.base), bytesPerRow: $0.bytesPerRow)
            })
    }

    /// The same, to be read.
    package var view: FrameView {
        FrameView(format, planes: planes.map { FrameView.Plane($0.base, bytesPerRow: $0.bytesPerRow) })
    }
}
