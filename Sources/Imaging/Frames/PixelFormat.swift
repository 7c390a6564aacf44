package import MediaTypes

/// How the samples of a frame lie in memory.
package enum PixelFormat: String, Sendable, Hashable, CaseIterable {
    /// 4:2:0, 8 bit; planes Y, U, V. GStreamer's I420.
    case i420
    /// 4:2:0, 8 bit; planes Y, and U and V in turn. GStreamer's NV12.
    case nv12
    /// 4:2:2, 8 bit; planes Y, U, V. GStreamer's Y42B, as Motion JPEG is decoded to.
    case i422
    /// 4:2:2, 8 bit; one plane, Y U Y V. GStreamer's YUY2. Read only.
    case yuy2
    /// 4:2:2, 8 bit; one plane, U Y V Y. GStreamer's UYVY. Read only.
    case uyvy
    /// 4:2:0, 10 bit in the lower bits of 16; planes Y, U, V. GStreamer's I420_10LE.
    case i010
    /// 4:2:2, 10 bit in the lower bits of 16; planes Y, U, V. GStreamer's I422_10LE, as ProRes 422 is.
    case i210
    /// 4:2:0, 10 bit in the upper bits of 16; planes Y, and U and V in turn. GStreamer's P010_10LE.
    case p010

    /// 8 or 10.
    package var bitDepth: Int { bytesPerSample == 1 ? 8 : 10 }

    /// Whether frames can be written in it: drawn into, scaled to, converted to.
    package var isWritable: Bool {
        switch self {
        case .i420, .nv12, .i422, .i010, .i210, .p010: true
        case .yuy2, .uyvy: false
        }
    }

    /// How many planes there are: 1, 2 or 3.
    package var planeCount: Int {
        switch self {
        case .yuy2, .uyvy: 1
        case .nv12, .p010: 2
        case .i420, .i422, .i010, .i210: 3
        }
    }

    /// Bytes in a row of a plane, without padding.
    package func bytesPerRow(ofPlane plane: Int, width: Int) -> Int {
        let chroma = (width + 1) / 2
        switch self {
        case .yuy2, .uyvy: return 4 * chroma
        case .nv12, .p010: return bytesPerSample * (plane == 0 ? width : 2 * chroma)
        case .i420, .i422, .i010, .i210: return bytesPerSample * (plane == 0 ? width : chroma)
        }
    }

    /// Rows of a plane.
    package func rows(ofPlane plane: Int, height: Int) -> Int {
        plane == 0 || !hasHalfChromaRows ? height : (height + 1) / 2
    }

    /// 1, or 2 where a sample has more than 8 bits.
    var bytesPerSample: Int {
        switch self {
        case .i420, .nv12, .i422, .yuy2, .uyvy: 1
        case .i010, .i210, .p010: 2
        }
    }

    /// 4:2:0 has, 4:2:2 has not.
    var hasHalfChromaRows: Bool {
        switch self {
        case .i420, .nv12, .i010, .p010: true
        case .i422, .i210, .yuy2, .uyvy: false
        }
    }

    /// The format with the same samples in three planes.
    var planar: PixelFormat {
        switch self {
        case .i420, .nv12: .i420
        case .i010, .p010: .i010
        case .i422, .yuy2, .uyvy: .i422
        case .i210: .i210
        }
    }
}

/// What is known of a frame without its samples.
package struct ImageFormat: Sendable, Hashable {
    /// How samples lie in memory.
    package var pixelFormat: PixelFormat
    /// Pixels of luma; may be odd.
    package var size: VideoSize
    /// What samples mean.
    package var color: ColorEncoding

    /// - Parameter size: width and height from 1 to 65535.
    package init(_ pixelFormat: PixelFormat, size: VideoSize, color: ColorEncoding = .bt709) {
        (self.pixelFormat, self.size, self.color) = (pixelFormat, size, color)
    }

    /// Bytes of a frame whose planes follow each other without padding, as in a raw file.
    package var byteCount: Int {
        (0..<pixelFormat.planeCount).reduce(0) { $0 + bytesPerRow(ofPlane: $1) * rows(ofPlane: $1) }
    }

    func bytesPerRow(ofPlane plane: Int) -> Int { pixelFormat.bytesPerRow(ofPlane: plane, width: size.width) }
    func rows(ofPlane plane: Int) -> Int { pixelFormat.rows(ofPlane: plane, height: size.height) }
}
