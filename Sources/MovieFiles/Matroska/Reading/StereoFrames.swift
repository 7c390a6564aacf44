package import MediaTypes
package import SystemPackage

/// The frames of a movie that have an image for each eye.
package struct StereoFrames: Sendable, Hashable {
    package var layout: StereoLayout
    /// How wide a pixel is for its height, where the file tells the size of one eye's image and not of a frame; nil where it tells a frame's.
    package var pixelAspect: Fraction?

    /// Reads what QuickTime, MP4, Matroska or WebM say of their first video track.
    ///
    /// - Returns: nil where that has one image.
    /// - Throws: `notAMovie`, `invalidBox`, `unsupported`, or `system` where the file cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) -> (StereoLayout?, Fraction?) in
            guard try MatroskaSegment.isMatroska(file) else {
                let video = try MovieContents(file).tracks().first { $0.handler == "vide" }
                return (video?.entry.flatMap { StereoLayout($0) }, nil)
            }
            guard let track = try MatroskaSegment(file, for: .tracks).tracks.first(where: { $0.kind == .video }) else {
                return (nil, nil)
            }
            let aspect = track.pixelAspect
            return (track.stereo, Fraction(Int(aspect.width), Int(aspect.height)))
        }
        guard let layout = found.0 else { return nil }
        (self.layout, pixelAspect) = (layout, found.1)
    }
}
