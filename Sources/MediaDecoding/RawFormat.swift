import CLibAV

/// How decoded frames lie in memory, and what they are handed out as.
package struct RawFormat: Sendable, Hashable {
    /// GStreamer's name of what is handed out, such as "I420".
    package let name: String
    /// Bits of a sample.
    package let bitDepth: Int
    /// Such as "4:2:0"; nil for RGB and gray.
    package let chroma: String?
    /// Whether it is handed out as red, green and blue.
    package let isRGB: Bool
    /// Whether the format itself says that all values are used.
    let isFullRange: Bool
    let pixels: AVPixelFormat
    /// nil where the planes are handed out as they are.
    let conversion: Conversion?

    /// Whether its samples are linear light as floating point, 1 the brightest that a movie has; it is handed out as BT.709 encodes it.
    let isFloat: Bool
    /// Whether something says how opaque its pixels are that is not handed out.
    package let losesAlpha: Bool

    /// Planes that samples in a layout that GStreamer does not have become: of red, green and blue in their order there, or of luma and chroma.
    struct Conversion: Sendable, Hashable {
        /// Of a sample.
        let bits: Int
        /// A sample of chroma stands for 2 to the power of so many columns and rows.
        let columns: Int
        let rows: Int
    }

    /// - Returns: nil for what is no raw frame in memory.
    init?(_ pixels: AVPixelFormat, _ library: FormatLibrary) {
        guard let description = library.pixels(pixels)?.pointee, description.nb_components > 0,
            description.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL) == 0
        else { return nil }
        isFloat = description.flags & UInt64(AV_PIX_FMT_FLAG_FLOAT) != 0
        guard !isFloat || Self.floats.contains(pixels) else { return nil }
        self.pixels = pixels
        isRGB = description.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
        let isGray = description.nb_components < 3 && description.flags & UInt64(AV_PIX_FMT_FLAG_PAL) == 0
        let (columns, rows) = (Int(description.log2_chroma_w), Int(description.log2_chroma_h))
        let depth = Int(description.comp.0.depth)
        bitDepth = description.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0 ? 8 : depth
        chroma =
            isRGB || isGray
            ? nil : [0: "4:4:4", 1: rows == 0 ? "4:2:2" : "4:2:0", 2: rows == 0 ? "4:1:1" : "4:1:0"][columns]
        isFullRange = Self.fullRange.contains(pixels)
        if let name = Self.names[pixels] {
            (self.name, conversion, losesAlpha) = (name, nil, false)
            return
        }
        let hasAlpha = description.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
        losesAlpha = hasAlpha && (!isRGB || description.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0)
        // Those of which there are planes of each kind of chroma.
        let kept = [[0, 0], [1, 0], [1, 1]].contains([columns, rows]) ? (columns, rows) : (0, 0)
        let bits = depth <= 8 ? 8 : isGray ? 16 : 12
        conversion = Conversion(bits: bits, columns: kept.0, rows: kept.1)
        if isGray {
            name = bits == 8 ? "GRAY8" : "GRAY16_LE"
        } else if isRGB {
            name = (hasAlpha && !losesAlpha ? "GBRA" : "GBR") + (bits == 8 ? "" : "_12LE")
        } else {
            let family = kept == (0, 0) ? "Y444" : kept == (1, 0) ? (bits == 8 ? "Y42B" : "I422") : "I420"
            name = bits == 8 ? family : "\(family)_12LE"
        }
    }

    private static let floats: Set = [AV_PIX_FMT_GRAYF32LE, AV_PIX_FMT_GBRPF32LE, AV_PIX_FMT_GBRAPF32LE]

    private static let fullRange: Set = [
        AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P,
    ]

    /// The same layouts under GStreamer's names.
    private static let names: [AVPixelFormat: String] = [
        AV_PIX_FMT_YUV420P: "I420", AV_PIX_FMT_YUVJ420P: "I420", AV_PIX_FMT_YUV422P: "Y42B",
        AV_PIX_FMT_YUVJ422P: "Y42B",
        AV_PIX_FMT_YUV444P: "Y444", AV_PIX_FMT_YUVJ444P: "Y444", AV_PIX_FMT_YUV410P: "YUV9", AV_PIX_FMT_YUV411P: "Y41B",
        AV_PIX_FMT_YUVJ411P: "Y41B", AV_PIX_FMT_YUYV422: "YUY2", AV_PIX_FMT_UYVY422: "UYVY", AV_PIX_FMT_NV12: "NV12",
        AV_PIX_FMT_NV21: "NV21", AV_PIX_FMT_GRAY8: "GRAY8", AV_PIX_FMT_GRAY16LE: "GRAY16_LE", AV_PIX_FMT_RGB24: "RGB",
        AV_PIX_FMT_BGR24: "BGR", AV_PIX_FMT_RGBA: "RGBA", AV_PIX_FMT_BGRA: "BGRA", AV_PIX_FMT_ARGB: "ARGB",
        AV_PIX_FMT_ABGR: "ABGR", AV_PIX_FMT_RGB0: "RGBx", AV_PIX_FMT_BGR0: "BGRx", AV_PIX_FMT_0RGB: "xRGB",
        AV_PIX_FMT_0BGR: "xBGR", AV_PIX_FMT_GBRP: "GBR", AV_PIX_FMT_GBRP10LE: "GBR_10LE",
        AV_PIX_FMT_GBRP12LE: "GBR_12LE",
        AV_PIX_FMT_GBRAP: "GBRA", AV_PIX_FMT_GBRAP10LE: "GBRA_10LE", AV_PIX_FMT_GBRAP12LE: "GBRA_12LE",
        AV_PIX_FMT_YUV420P10LE: "I420_10LE", AV_PIX_FMT_YUV422P10LE: "I422_10LE", AV_PIX_FMT_YUV444P10LE: "Y444_10LE",
        AV_PIX_FMT_YUV420P12LE: "I420_12LE", AV_PIX_FMT_YUV422P12LE: "I422_12LE", AV_PIX_FMT_YUV444P12LE: "Y444_12LE",
        AV_PIX_FMT_YUV444P16LE: "Y444_16LE", AV_PIX_FMT_YUVA420P: "A420", AV_PIX_FMT_YUVA420P10LE: "A420_10LE",
        AV_PIX_FMT_YUVA422P10LE: "A422_10LE", AV_PIX_FMT_YUVA444P10LE: "A444_10LE",
    ]
}
