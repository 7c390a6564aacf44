package import Imaging
package import MediaTypes

/// Puts photos into the frames of a movie: turned, scaled, and cut or with black beside them.
///
/// One thread at a time may use it.
package final class PhotoPainter {
    private let converter = FrameConverter()
    private let fit: PhotoFit

    package init(_ fit: PhotoFit) { self.fit = fit }

    /// How large a photo has to be decoded at least, as it is stored, to be shown in a movie of a size without loss.
    package func leastSize(_ photo: VideoSize, _ orientation: PhotoOrientation, in movie: VideoSize) -> VideoSize {
        let isTurned = orientation.rotation.swapsWidthAndHeight
        let shown = isTurned ? VideoSize(photo.height, photo.width) : photo
        let (crop, place) = fit.placement(of: shown, in: movie)
        let scale = max(Double(place.width) / crop.width, Double(place.height) / crop.height)
        // Rounding may not make it a pixel too small.
        let least = VideoSize(
            Int((Double(photo.width) * scale - 0.5).rounded(.up)),
            Int((Double(photo.height) * scale - 0.5).rounded(.up)))
        return least
    }

    /// Writes a photo into a frame of 4:2:0.
    ///
    /// - Throws: ``ImagingError`` for a frame that cannot be written.
    package func paint(
        _ photo: FrameView, _ orientation: PhotoOrientation, into frame: MutableFrameView
    ) throws(ImagingError) {
        let isTurned = orientation.rotation.swapsWidthAndHeight
        let stored = photo.format.size
        let shown = isTurned ? VideoSize(stored.height, stored.width) : stored
        let (crop, place) = fit.placement(of: shown, in: frame.format.size)
        // It lies in the middle, so mirroring and turning change nothing but its shape.
        let storedCrop =
            isTurned ? CropRectangle(x: crop.y, y: crop.x, width: crop.height, height: crop.width) : crop
        if place.width < frame.format.size.width || place.height < frame.format.size.height { frame.fillWithBlack() }
        try converter.convert(
            photo, crop: storedCrop, rotation: orientation.rotation, isMirrored: orientation.isMirrored,
            to: frame.part(place))
    }
}

extension MutableFrameView {
    /// A part of a frame of 4:2:0 and 8 bits in three planes that begins at even places.
    fileprivate func part(_ place: PixelRectangle) -> MutableFrameView {
        var format = format
        format.size = VideoSize(place.width, place.height)
        return MutableFrameView(
            format,
            planes: planes.enumerated().map { index, plane in
                let shift = index == 0 ? 0 : 1
                return Plane(
                    plane.base + (place.y >> shift) * plane.bytesPerRow + (place.x >> shift),
                    bytesPerRow: plane.bytesPerRow)
            })
    }

    fileprivate func fillWithBlack() {
        let black: [UInt8] = [format.color.range == .full ? 0 : 16, 128, 128]
        for (index, plane) in planes.enumerated() {
            let rows = index == 0 ? format.size.height : (format.size.height + 1) / 2
            let width = index == 0 ? format.size.width : (format.size.width + 1) / 2
            for row in 0..<rows {
                (plane.base + row * plane.bytesPerRow).initializeMemory(
                    as: UInt8.self, repeating: black[index], count: width)
            }
        }
    }
}
