package import MediaTypes
package import Photos
package import SystemPackage

/// A timelapse that is made of photos.
package struct PhotoTimelapse: Sendable, Hashable {
    /// Files, folders of them and patterns as shells have them.
    package var paths: [FilePath]
    /// Which of the photos are taken; nil: all.
    package var pace: VideoTimelapse.Pace?
    /// Photos a second.
    package var rate = Fraction(30)
    /// The movie's; nil: that of most photos, up to 4K.
    package var size: VideoSize?
    /// What becomes of photos of another shape.
    package var fit = PhotoFit.crop
    /// What is done about exposures that differ from photo to photo.
    package var light = TimelapseLight()
    /// Whether they are as far apart as they were taken, at the speed of the pace, and not evenly.
    package var keepsTimes = false
    /// What is done to its frames.
    package var look = TimelapseLook()

    /// Thirty photos a second.
    package init(_ paths: [FilePath]) { self.paths = paths }
}
