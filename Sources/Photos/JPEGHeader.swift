import CTurboJPEG
import MediaTypes

/// The size of a JPEG and how its colors are kept.
struct JPEGHeader: Sendable, Hashable {
    var size: VideoSize
    /// One of `TJSAMP`.
    var subsampling: Int32
    /// One of `TJCS`.
    var colors: Int32
    /// Whether they are those of print.
    var isCMYK: Bool { [TJCS_CMYK, TJCS_YCCK].contains { Int32($0.rawValue) == colors } }

    /// - Returns: nil where the bytes end before the frame's header, or are no JPEG.
    init?(_ bytes: [UInt8]) {
        guard let handle = tjInitDecompress() else { return nil }
        defer { tjDestroy(handle) }
        self.init(bytes, handle)
    }

    init?(_ bytes: [UInt8], _ handle: tjhandle) {
        var (width, height, subsampling, colors) = (Int32(0), Int32(0), Int32(-1), Int32(-1))
        let result = bytes.withUnsafeBufferPointer {
            tjDecompressHeader3(handle, $0.baseAddress, UInt(bytes.count), &width, &height, &subsampling, &colors)
        }
        // Only tables, without a frame, have neither width nor height.
        guard result == 0 || tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue), width > 0, height > 0 else {
            return nil
        }
        (size, self.subsampling, self.colors) = (VideoSize(Int(width), Int(height)), subsampling, colors)
    }
}
