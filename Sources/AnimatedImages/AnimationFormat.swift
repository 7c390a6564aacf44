import CLibAV

/// What the frames of an animation are, before libswscale brings them to red, green and blue: it rounds, where GStreamer's conversion (1.22)
/// cuts off and is two to four of 255 too dark.
package struct AnimationFormat: Sendable {
    package let width: Int
    package let height: Int
    let pixels: AVPixelFormat
    /// Of its planes.
    let planes: [Plane]
    private let matrix: Int
    private let isFullRange: Bool

    struct Plane: Sendable {
        /// Of one sample, or of a pixel of all of its samples.
        let bytes: Int
        /// Whether it has one sample for two columns, and for two rows.
        let halvesColumns, halvesRows: Bool

        func bytes(_ width: Int) -> Int { bytes * (halvesColumns ? (width + 1) / 2 : width) }
        func rows(_ height: Int) -> Int { halvesRows ? (height + 1) / 2 : height }
    }

    /// - Parameters:
    ///   - name: GStreamer's name of the raw format.
    ///   - matrix: by which luma and chroma are made, as H.273 numbers it.
    /// - Returns: nil for a format that is not taken.
    package init?(_ name: String, width: Int, height: Int, matrix: Int, isFullRange: Bool) {
        guard let pixels = Self.formats[name] else { return nil }
        (self.width, self.height, self.matrix, self.isFullRange) = (width, height, matrix, isFullRange)
        self.pixels = pixels
        guard pixels != AV_PIX_FMT_BGRA else {
            planes = [Plane(bytes: 4, halvesColumns: false, halvesRows: false)]
            return
        }
        let bytes = name.hasSuffix("LE") ? 2 : 1
        let luma = Plane(bytes: bytes, halvesColumns: false, halvesRows: false)
        let chroma = Plane(bytes: bytes, halvesColumns: !name.contains("444"), halvesRows: name.contains("420"))
        planes = [luma, chroma, chroma] + (name.hasPrefix("A") ? [luma] : [])
    }

    private static let formats: [String: AVPixelFormat] = [
        "BGRA": AV_PIX_FMT_BGRA, "I420": AV_PIX_FMT_YUV420P, "Y42B": AV_PIX_FMT_YUV422P, "Y444": AV_PIX_FMT_YUV444P,
        "I420_10LE": AV_PIX_FMT_YUV420P10LE, "I422_10LE": AV_PIX_FMT_YUV422P10LE, "Y444_10LE": AV_PIX_FMT_YUV444P10LE,
        "A420": AV_PIX_FMT_YUVA420P, "A444_10LE": AV_PIX_FMT_YUVA444P10LE,
    ]

    /// What the filter before others is told of them.
    var source: String {
        "video_size=\(width)x\(height):pix_fmt=\(pixels.rawValue):time_base=1/100:pixel_aspect=1/1"
    }

    /// How they are brought to red, green and blue; nil: they are that.
    var conversion: String? {
        guard pixels != AV_PIX_FMT_BGRA else { return nil }
        let names = [1: "bt709", 4: "fcc", 5: "bt601", 6: "bt601", 7: "smpte240m", 9: "bt2020", 10: "bt2020"]
        return "flags=neighbor+accurate_rnd+full_chroma_int:in_range=\(isFullRange ? "full" : "limited")"
            + ":in_color_matrix=\(names[matrix] ?? "bt601")"
    }
}

/// The planes of a frame, lent.
package struct AnimationPlanes {
    let format: AnimationFormat
    let planes: [(base: UnsafeRawPointer, bytesPerRow: Int)]

    package init(_ format: AnimationFormat, _ planes: [(base: UnsafeRawPointer, bytesPerRow: Int)]) {
        (self.format, self.planes) = (format, planes)
    }
}
