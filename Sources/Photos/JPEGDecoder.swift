import CTurboJPEG
import CYUV
package import Imaging
package import MediaTypes

/// Decodes JPEGs to planes, without a detour through red, green and blue, and scaled down while decoding where less is wanted.
///
/// It keeps its memory for the next one of the same size; one thread at a time may use it.
package final class JPEGDecoder {
    /// Why a photo cannot be shown.
    package enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// With libjpeg-turbo's words.
        case damaged(String)
        /// Its colors are others than those of photos: red, green and blue.
        case unusualColors

        package var description: String {
            switch self {
            case .damaged(let words): "it is damaged (\(words))"
            case .unusualColors: "its colors are kept in an unusual way"
            }
        }
    }

    private let handle: tjhandle
    private var buffer: FrameBuffer?

    /// - Returns: nil where there is no memory.
    package init?() {
        guard let handle = tjInitDecompress() else { return nil }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// Decodes a photo and lends it.
    ///
    /// - Parameter least: the photo may come smaller than it is, but not smaller than this both ways.
    /// - Throws: ``Failure``; what the closure throws.
    package func withFrame<Result>(
        _ bytes: [UInt8], atLeast least: VideoSize, _ body: (FrameView) throws -> Result
    ) throws -> Result {
        guard let header = JPEGHeader(bytes, handle) else { throw Failure.damaged(words) }
        let known: [Int32] = [TJCS_YCbCr, TJCS_GRAY].map { Int32($0.rawValue) }
        guard known.contains(header.colors) else { throw Failure.unusualColors }
        let size = Self.scaled(header.size, atLeast: least)
        let isHalf = header.subsampling == Int32(TJSAMP_422.rawValue)
        let isQuarter = header.subsampling == Int32(TJSAMP_420.rawValue)
        let format = ImageFormat(isHalf ? .i422 : .i420, size: size, color: ColorEncoding(.bt601, .full))
        let frame = buffer.flatMap { $0.format == format ? $0 : nil } ?? FrameBuffer(format)
        buffer = frame
        try frame.withMutableView { view in
            if isHalf || isQuarter {
                try decode(bytes, size, view.planes.map { ($0.base, $0.bytesPerRow) })
            } else {
                try decodeOther(bytes, header, view)
            }
        }
        return try frame.withView(body)
    }

    /// What the library scales with vector instructions: halves, quarters, eighths.
    private static func scaled(_ size: VideoSize, atLeast least: VideoSize) -> VideoSize {
        for divisor in [8, 4, 2] {
            let smaller = VideoSize((size.width + divisor - 1) / divisor, (size.height + divisor - 1) / divisor)
            if smaller.width >= least.width, smaller.height >= least.height { return smaller }
        }
        return size
    }

    private func decode(
        _ bytes: [UInt8], _ size: VideoSize, _ planes: [(base: UnsafeMutableRawPointer, bytesPerRow: Int)]
    ) throws(Failure) {
        var pointers = planes.map { Optional($0.base.assumingMemoryBound(to: UInt8.self)) }
        var strides = planes.map { Int32($0.bytesPerRow) }
        let result = bytes.withUnsafeBufferPointer {
            tjDecompressToYUVPlanes(
                handle, $0.baseAddress, UInt(bytes.count), &pointers, Int32(size.width), &strides, Int32(size.height), 0
            )
        }
        // What lies between markers belongs to no image.
        guard result == 0 || words.contains("extraneous bytes before marker") else { throw .damaged(words) }
    }

    /// Gray ones, and those with more chroma, or with less in other ways.
    private func decodeOther(_ bytes: [UInt8], _ header: JPEGHeader, _ view: MutableFrameView) throws(Failure) {
        let size = view.format.size
        let isGray = header.subsampling == Int32(TJSAMP_GRAY.rawValue)
        let (luma, chroma) = (view.planes[0], view.planes[1...])
        if isGray {
            try decode(bytes, size, [(luma.base, luma.bytesPerRow)])
            for plane in chroma {
                plane.base.initializeMemory(
                    as: UInt8.self, repeating: 128, count: plane.bytesPerRow * ((size.height + 1) / 2))
            }
            return
        }
        let width = Int(tjPlaneWidth(1, Int32(size.width), header.subsampling))
        let height = Int(tjPlaneHeight(1, Int32(size.height), header.subsampling))
        guard width > 0, height > 0 else { throw .unusualColors }
        let count = width * height
        let own = UnsafeMutableRawPointer.allocate(byteCount: 2 * count, alignment: 64)
        defer { own.deallocate() }
        try decode(bytes, size, [(luma.base, luma.bytesPerRow), (own, width), (own + count, width)])
        for (index, plane) in chroma.enumerated() {
            ScalePlane(
                (own + index * count).assumingMemoryBound(to: UInt8.self), Int32(width), Int32(width), Int32(height),
                plane.base.assumingMemoryBound(to: UInt8.self), Int32(plane.bytesPerRow),
                Int32((size.width + 1) / 2), Int32((size.height + 1) / 2), kFilterBox)
        }
    }

    /// What the library said last.
    private var words: String { tjGetErrorStr2(handle).map { String(cString: $0) } ?? "unknown" }
}
