import Composition
import Errors
import GStreamer
import Imaging
import MediaTypes
import Photos
import SystemPackage

/// A still image as a frame of a movie, with black beside it where it has another shape.
struct StillImage: Sendable {
    let frame: Buffer
    /// In the colors of high definition video, which all players and sites on the Web show right.
    let caps: Caps

    /// What video sites show largest, unless another size is asked for.
    static let usualSize = VideoSize(1920, 1080)
    /// One each second: with fewer some players and sites have trouble.
    static let rate = Fraction(1)

    /// Decodes an image. Blocks; for threads of one's own.
    ///
    /// - Parameter size: the frame's, in pixels.
    /// - Throws: ``RushesError`` for what is no image or cannot be decoded; ``GStreamerError`` if there is no such frame.
    init(_ path: FilePath, size: VideoSize) throws {
        let name = path.displayName
        let photo = try withExtendedLifetime(try InputFile(path)) {
            do throws(Errno) { return try PhotoFile(path) } catch {
                throw RushesError(.badInput, on: path.string, "\(name) cannot be read: \(error).", underlying: error)
            }
        }
        let unknown = RushesError(
            .badInput, on: path.string,
            "\(name) is not an image that Rushes can read; name a JPEG, PNG, WebP, HEIC, AVIF, TIFF, DPX or OpenEXR file."
        )
        guard photo.isImage else { throw unknown }
        let caps = try Caps(
            "video/x-raw,format=I420,width=\(size.width),height=\(size.height),framerate=\(Self.rate),"
                + "pixel-aspect-ratio=1/1,interlace-mode=progressive,colorimetry=(string)bt709")
        guard let layout = VideoFrameLayout(caps), var buffer = try FramePool(caps, layout).buffer() else {
            throw GStreamerError(element: "image", message: "there is no frame of \(size)")
        }
        let painter = PhotoPainter(.pad)
        do {
            let least = { painter.leastSize($0, photo.orientation, in: size) }
            try PhotoDecoder().withFrame(of: photo, atLeast: least) { image in
                try buffer.withMutablePlanes(layout) { planes in
                    let frame = MutableFrameView(
                        ImageFormat(.i420, size: size, color: .bt709),
                        planes: planes.map { .init($0.base, bytesPerRow: $0.bytesPerRow) })
                    try painter.paint(image, photo.orientation, into: frame)
                }
            }
        } catch let failure as PhotoFailure {
            throw RushesError(
                .badInput, on: path.string, "\(name) cannot be shown: \(failure).", underlying: failure)
        } catch { throw unknown }
        (frame, self.caps) = (buffer, caps)
    }

    /// The caps of the image where it is shown for so long. Parsers (GStreamer 1.22) let an encoder's only frame last as long as its rate has it,
    /// and its track never ends before, so the rate of what is shown for less than a second is higher.
    func caps(lasting duration: MediaTime) -> Caps {
        guard duration > .zero, duration < MediaTime(samples: 1, of: Self.rate) else { return caps }
        return caps.setting("framerate", to: .fraction(Fraction(Int((1 / duration.seconds).rounded(.up)))))
    }
}

extension ExportSettings {
    /// How large the frame is that an image is fitted into, in pairs of pixels, as encoders take them.
    var stillSize: VideoSize {
        let usual = StillImage.usualSize
        let factor = scale?.factor((Double(usual.width), Double(usual.height))) ?? 1
        let scaled = VideoSize(
            Int((Double(usual.width) * factor).rounded()), Int((Double(usual.height) * factor).rounded()))
        let wanted = size ?? scaled
        return VideoSize(max(2, wanted.width & ~1), max(2, wanted.height & ~1))
    }
}
