package import MediaTypes
package import SystemPackage

/// A timelapse that is made of a video.
package struct VideoTimelapse: Sendable, Hashable {
    /// How fast it is.
    package enum Pace: Sendable, Hashable {
        /// So many times as fast as the source.
        case speed(Double)
        /// As fast as it has to be to last so long.
        case length(MediaTime)
        /// Of a video: so fast from these moments on, eased between them; at least one.
        case ramp([SpeedPoint])
    }

    /// The video.
    package var input: FilePath
    /// How fast it is.
    package var pace: Pace
    /// Frames a second.
    package var rate = Fraction(30)
    /// Whether each moment is shown to the frame; else by a key frame near it, where there is one.
    package var isExact = false
    /// What is done about light that differs from frame to frame.
    package var light = TimelapseLight()
    /// What is done to its frames.
    package var look = TimelapseLook()

    /// Thirty frames a second, of key frames where they are near enough.
    package init(_ input: FilePath, _ pace: Pace) { (self.input, self.pace) = (input, pace) }
}
