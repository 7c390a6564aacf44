package import Imaging
package import MediaTypes

/// What becomes of photos of another shape than the movie's.
package enum PhotoFit: String, Sendable, Hashable, CaseIterable, Codable {
    /// Their edges are cut off.
    case crop
    /// They have black beside them.
    case pad

    /// What of a photo is shown, as it is shown, and where.
    package func placement(of photo: VideoSize, in movie: VideoSize) -> (crop: CropRectangle, place: PixelRectangle) {
        let (width, height) = (Double(photo.width), Double(photo.height))
        let across = Double(movie.width) / width
        let down = Double(movie.height) / height
        switch self {
        case .crop:
            let scale = max(across, down)
            let (shownWidth, shownHeight) = (Double(movie.width) / scale, Double(movie.height) / scale)
            return (
                CropRectangle(
                    x: (width - shownWidth) / 2, y: (height - shownHeight) / 2, width: shownWidth, height: shownHeight),
                PixelRectangle(x: 0, y: 0, width: movie.width, height: movie.height)
            )
        case .pad:
            let scale = min(across, down)
            // Chroma knows pairs of pixels only.
            let shown = VideoSize(
                min(movie.width, max(2, Int((width * scale / 2).rounded()) * 2)),
                min(movie.height, max(2, Int((height * scale / 2).rounded()) * 2)))
            return (
                CropRectangle(x: 0, y: 0, width: width, height: height),
                PixelRectangle(
                    x: (movie.width - shown.width) / 4 * 2, y: (movie.height - shown.height) / 4 * 2,
                    width: shown.width, height: shown.height)
            )
        }
    }
}
