import ArgumentParser
import MediaTypes

/// A camera as it is typed, how it hangs and how it is opened: "face,rotate=90,mirror,size=640x480,rate=15".
struct CameraArgument: Equatable {
    /// What is left without that.
    let source: String
    let orientation: MovieOrientation
    /// What is asked of its frames, which a test pattern and a launch line say themselves.
    let (size, rate): (VideoSize?, FrameRateArgument?)

    /// - Throws: a `ValidationError` for an angle that no camera is turned by here, a size or a rate that is none.
    init(_ text: String) throws {
        var (parts, orientation) = (text.split(separator: ",", omittingEmptySubsequences: false), MovieOrientation())
        let isDevice = !text.hasPrefix("test:") && !text.hasPrefix("gst:")
        var (size, rate): (VideoSize?, FrameRateArgument?)
        // A device's name, a test pattern's options and a launch line have commas of their own.
        while parts.count > 1, let last = parts.last {
            if last == "mirror" {
                orientation.isMirrored = true
            } else if last.hasPrefix("rotate=") {
                guard let degrees = Int(last.dropFirst("rotate=".count)),
                    let turned = MovieOrientation(degrees: degrees, isMirrored: orientation.isMirrored)
                else { throw ValidationError("'\(last)' of a camera is rotate=0, 90, 180 or 270.") }
                orientation = turned
            } else if isDevice, last.hasPrefix("size=") {
                guard let asked = VideoSize(argument: String(last.dropFirst("size=".count))) else {
                    throw ValidationError("'\(last)' of a camera is size=WIDTHxHEIGHT, as in size=640x480.")
                }
                size = asked
            } else if isDevice, last.hasPrefix("rate=") {
                guard let asked = FrameRateArgument(argument: String(last.dropFirst("rate=".count))) else {
                    throw ValidationError("'\(last)' of a camera is frames a second, as in rate=15 or rate=29.97.")
                }
                rate = asked
            } else if isDevice, ["rotate", "size", "rate"].contains(last) || last.hasPrefix("mirror=") {
                throw ValidationError(
                    "A camera may be followed by rotate=90, mirror, size=640x480 and rate=15, not by '\(last)'.")
            } else {
                break
            }
            parts.removeLast()
        }
        (self.size, self.rate) = (size, rate)
        (source, self.orientation) = (parts.joined(separator: ","), orientation)
    }
}
