import CLibAV

/// How the raw frames of a filter are stored, by GStreamer's names.
package struct FrameFormat: Sendable, Equatable {
    package let width: Int
    package let height: Int
    let pixels: AVPixelFormat
    /// Of its planes.
    let planes: [Plane]

    struct Plane: Sendable, Equatable {
        /// Of one sample, or of a pixel of all of its samples.
        let bytes: Int
        /// Whether it has one sample for two columns, and for two rows.
        let halvesColumns, halvesRows: Bool

        /// Copies the rows of a frame's plane. Those of a filter may lie from the last one to the first, with a stride below zero.
        func copy(
            _ source: (base: UnsafeRawPointer, bytesPerRow: Int),
            to target: (base: UnsafeMutableRawPointer, bytesPerRow: Int), _ format: FrameFormat
        ) {
            let count = bytes * (halvesColumns ? (format.width + 1) / 2 : format.width)
            let rows = halvesRows ? (format.height + 1) / 2 : format.height
            guard source.bytesPerRow != target.bytesPerRow else {
                return target.base.copyMemory(
                    from: source.base, byteCount: source.bytesPerRow * (rows - 1) + count)
            }
            for row in 0..<rows {
                (target.base + row * target.bytesPerRow).copyMemory(
                    from: source.base + row * source.bytesPerRow, byteCount: count)
            }
        }
    }

    /// - Parameter name: GStreamer's name of the raw format.
    /// - Returns: nil for a format that is not taken.
    package init?(_ name: String, width: Int, height: Int) {
        guard let pixels = Self.formats.first(where: { $0.name == name })?.pixels else { return nil }
        (self.width, self.height, self.pixels) = (width, height, pixels)
        guard pixels != AV_PIX_FMT_BGRA else {
            planes = [Plane(bytes: 4, halvesColumns: false, halvesRows: false)]
            return
        }
        let bytes = name.hasSuffix("LE") ? 2 : 1
        let luma = Plane(bytes: bytes, halvesColumns: false, halvesRows: false)
        let chroma = Plane(bytes: bytes, halvesColumns: !name.contains("444"), halvesRows: name.contains("420"))
        planes = [luma, chroma, chroma] + (name.hasPrefix("A") ? [luma] : [])
    }

    /// What the filter that takes them in is told of them.
    package func source(timeBase: String, pixelAspect: String) -> String {
        "video_size=\(width)x\(height):pix_fmt=\(pixels.rawValue):time_base=\(timeBase):pixel_aspect=\(pixelAspect)"
    }

    /// GStreamer's name of a pixel format; nil for one that is not taken.
    static func name(of pixels: AVPixelFormat) -> String? { formats.first { $0.pixels == pixels }?.name }

    private static let formats: [(name: String, pixels: AVPixelFormat, libavName: String)] = [
        ("I420", AV_PIX_FMT_YUV420P, "yuv420p"), ("Y42B", AV_PIX_FMT_YUV422P, "yuv422p"),
        ("Y444", AV_PIX_FMT_YUV444P, "yuv444p"), ("I420_10LE", AV_PIX_FMT_YUV420P10LE, "yuv420p10le"),
        ("I422_10LE", AV_PIX_FMT_YUV422P10LE, "yuv422p10le"), ("Y444_10LE", AV_PIX_FMT_YUV444P10LE, "yuv444p10le"),
        ("I420_12LE", AV_PIX_FMT_YUV420P12LE, "yuv420p12le"), ("I422_12LE", AV_PIX_FMT_YUV422P12LE, "yuv422p12le"),
        ("Y444_12LE", AV_PIX_FMT_YUV444P12LE, "yuv444p12le"), ("A420", AV_PIX_FMT_YUVA420P, "yuva420p"),
        ("A420_10LE", AV_PIX_FMT_YUVA420P10LE, "yuva420p10le"), ("A422_10LE", AV_PIX_FMT_YUVA422P10LE, "yuva422p10le"),
        ("A444_10LE", AV_PIX_FMT_YUVA444P10LE, "yuva444p10le"), ("BGRA", AV_PIX_FMT_BGRA, "bgra"),
    ]

    /// GStreamer's names of those in which luma and chroma lie in planes.
    package static let planar = formats.map(\.name).filter { $0 != "BGRA" }
    /// libavutil's names of the same.
    static let libavPlanar = formats.filter { $0.pixels != AV_PIX_FMT_BGRA }.map(\.libavName)
}

/// The planes of a frame, lent.
package struct FramePlanes {
    let format: FrameFormat
    let planes: [(base: UnsafeRawPointer, bytesPerRow: Int)]

    package init(_ format: FrameFormat, _ planes: [(base: UnsafeRawPointer, bytesPerRow: Int)]) {
        (self.format, self.planes) = (format, planes)
    }
}
