import CTurboJPEG
package import Imaging
import MediaTypes

/// Encodes frames as JPEGs of their own size, with 4:2:0 chroma, as JFIF has its colors: BT.601 of full range.
package enum JPEGEncoder {
    /// Why there is no JPEG.
    package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// In libjpeg-turbo's words.
        package let description: String
    }

    /// - Parameter quality: 1 to 100, as libjpeg counts it.
    /// - Throws: ``Failure``; ``ImagingError``.
    package static func encode(_ frame: FrameView, quality: Int) throws -> [UInt8] {
        let format = ImageFormat(.i420, size: frame.format.size, color: ColorEncoding(.bt601, .full))
        let isEven = format.size.width % 2 == 0 && format.size.height % 2 == 0
        if frame.format == format, isEven { return try compress(frame, quality) }
        let buffer = FrameBuffer(format)
        try buffer.withMutableView { view in
            try FrameConverter().convert(frame, to: view)
            view.completePairs()
        }
        return try buffer.withView { try compress($0, quality) }
    }

    private static func compress(_ frame: FrameView, _ quality: Int) throws(Failure) -> [UInt8] {
        guard let handle = tjInitCompress() else { throw Failure(description: "there is not enough memory for it") }
        defer { tjDestroy(handle) }
        let size = frame.format.size
        var planes = frame.planes.map { Optional($0.base.assumingMemoryBound(to: UInt8.self)) }
        var strides = frame.planes.map { Int32($0.bytesPerRow) }
        var (bytes, count): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
        defer { tjFree(bytes) }
        let result = tjCompressFromYUVPlanes(
            handle, &planes, Int32(size.width), &strides, Int32(size.height), Int32(TJSAMP_420.rawValue), &bytes,
            &count, Int32(min(100, max(1, quality))), 0)
        guard result == 0, let bytes else {
            throw Failure(description: tjGetErrorStr2(handle).map { String(cString: $0) } ?? "unknown")
        }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// The segments with the Huffman tables that every encoder has which makes none of its own (ITU-T T.81, annex K.3).
    static let standardTables: [[UInt8]] = {
        let black = FrameBuffer(ImageFormat(.i420, size: VideoSize(16, 16), color: ColorEncoding(.bt601, .full)))
        let bytes = (try? black.withView { try compress($0, 75) }) ?? []
        return JPEGSegments(bytes)?.segments.filter { $0.marker == JPEGSegments.huffmanTables }.map(\.bytes) ?? []
    }()
}

extension MutableFrameView {
    /// Repeats the last column and row of luma where their number is odd: the library reads whole pairs of a ``FrameBuffer``, and what is
    /// there would show at the edges.
    fileprivate func completePairs() {
        let (luma, size) = (planes[0], format.size)
        if size.width % 2 == 1 {
            for row in 0..<size.height {
                let end = luma.base + row * luma.bytesPerRow + size.width
                end.copyMemory(from: end - 1, byteCount: 1)
            }
        }
        if size.height % 2 == 1 {
            let end = luma.base + size.height * luma.bytesPerRow
            end.copyMemory(from: end - luma.bytesPerRow, byteCount: luma.bytesPerRow)
        }
    }
}
