import Errors
import GStreamer
import Imaging
import MediaTypes
import Photos

/// Decodes photos of all kinds to the colors of JPEGs, not turned; one thread at a time may use it.
final class PhotoDecoder {
    private let jpegs = JPEGDecoder()

    /// As JPEGs have them: all values, and the matrix of BT.601.
    static let color = ColorEncoding(.bt601, .full)

    /// Lends the photo's frame. Blocks.
    ///
    /// - Parameter least: of a size the smallest that will do, where the photo can be decoded smaller than it is.
    /// - Throws: what is wrong with the photo; what the closure throws.
    func withFrame<Result>(
        of photo: PhotoFile, atLeast least: (VideoSize) -> VideoSize, _ body: (FrameView) throws -> Result
    ) throws -> Result {
        if let refusal = photo.refusal { throw refusal }
        switch photo.kind {
        case .jpeg:
            guard let size = photo.size, let jpegs else { break }
            do {
                return try jpegs.withFrame(try photo.bytes(), atLeast: least(size), body)
            } catch JPEGDecoder.Failure.unusualColors {}
        case .heif: return try HEIFPhoto(photo.path).frame().withView(body)
        case .raw:
            switch try RawPhoto(photo.path).content() {
            case .frame(let frame): return try frame.withView(body)
            case .jpeg(let bytes):
                guard let jpegs, let size = photo.size else { throw PhotoFailure.damaged("its preview has no size") }
                return try jpegs.withFrame(bytes, atLeast: least(size), body)
            }
        case .tiff, .deepPNG, .film, .other: break
        }
        return try withStill(StillReader.frame(of: photo), body)
    }

    /// What GStreamer decoded.
    private func withStill<Result>(_ sample: Sample, _ body: (FrameView) throws -> Result) throws -> Result {
        guard let still = sample.buffer, let layout = sample.caps.flatMap({ VideoFrameLayout($0) }) else {
            throw RushesError(.badInput, "it cannot be decoded")
        }
        let format = ImageFormat(.i420, size: layout.size, color: PhotoDecoder.color)
        return try still.withPlanes(layout) { planes in
            try body(
                FrameView(
                    format, planes: planes.map { .init(UnsafeRawPointer($0.base), bytesPerRow: $0.bytesPerRow) }))
        }
    }
}
