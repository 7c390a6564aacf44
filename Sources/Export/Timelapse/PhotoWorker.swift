import GStreamer
import Imaging
import MediaTypes
import Photos
import SystemPackage

/// What photos are painted into.
struct PhotoPainting: Sendable {
    let caps: Caps
    let layout: VideoFrameLayout
    let pool: FramePool
    let fit: PhotoFit

    /// - Throws: ``GStreamerError`` if there is no such frame.
    init(size: VideoSize, rate: Fraction, fit: PhotoFit) throws(GStreamerError) {
        // As JPEGs have them: all values, and the matrix of BT.601.
        caps = try Caps(
            "video/x-raw,format=I420,width=\(size.width),height=\(size.height),framerate=\(rate),"
                + "pixel-aspect-ratio=1/1,interlace-mode=progressive,colorimetry=(string)1:4:7:1,chroma-site=(string)jpeg"
        )
        guard let layout = VideoFrameLayout(caps) else {
            throw GStreamerError(element: "photos", message: "there is no frame of \(size)")
        }
        (self.layout, self.fit) = (layout, fit)
        pool = try FramePool(caps, layout)
    }

    var format: ImageFormat { ImageFormat(.i420, size: layout.size, color: PhotoDecoder.color) }
}

/// Makes frames of photos; one thread at a time may use it.
final class PhotoWorker {
    private let painting: PhotoPainting
    private let painter: PhotoPainter
    private let decoder = PhotoDecoder()

    init(_ painting: PhotoPainting) {
        self.painting = painting
        painter = PhotoPainter(painting.fit)
    }

    /// Blocks.
    ///
    /// - Parameter gain: what its light is multiplied by.
    /// - Throws: what is wrong with the photo.
    func frame(of photo: PhotoFile, gain: Double) throws -> Buffer {
        var buffer = try frame(of: photo)
        guard gain != 1 else { return buffer }
        try buffer.withMutablePlanes(painting.layout) { planes in
            FrameLight.multiply(
                MutableFrameView(
                    painting.format, planes: planes.map { .init($0.base, bytesPerRow: $0.bytesPerRow) }), by: gain)
        }
        return buffer
    }

    private func frame(of photo: PhotoFile) throws -> Buffer {
        guard var buffer = painting.pool.buffer() else { throw Errno.noMemory }
        let least = { [painter, painting] in painter.leastSize($0, photo.orientation, in: painting.layout.size) }
        try decoder.withFrame(of: photo, atLeast: least) { frame in
            try buffer.withMutablePlanes(painting.layout) { planes in
                let target = MutableFrameView(
                    painting.format, planes: planes.map { .init($0.base, bytesPerRow: $0.bytesPerRow) })
                try painter.paint(frame, photo.orientation, into: target)
            }
        }
        return buffer
    }
}
