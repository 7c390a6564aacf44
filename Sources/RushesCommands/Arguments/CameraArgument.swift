import ArgumentParser
import MediaTypes

/// A camera as it is typed, and how it hangs: "face,rotate=90,mirror".
struct CameraArgument: Equatable {
    /// What is left without that.
    let source: String
    let orientation: MovieOrientation

    /// - Throws: a `ValidationError` for an angle that no camera is turned by here.
    init(_ text: String) throws {
        var (parts, orientation) = (text.split(separator: ",", omittingEmptySubsequences: false), MovieOrientation())
        // A device's name, a test pattern's options and a launch line have commas of their own.
        while parts.count > 1, let last = parts.last {
            if last == "mirror" {
                orientation.isMirrored = true
            } else if last.hasPrefix("rotate=") {
                guard let degrees = Int(last.dropFirst("rotate=".count)),
                    let turned = MovieOrientation(degrees: degrees, isMirrored: orientation.isMirrored)
                else { throw ValidationError("'\(last)' of a camera is rotate=0, 90, 180 or 270.") }
                orientation = turned
            } else {
                break
            }
            parts.removeLast()
        }
        (source, self.orientation) = (parts.joined(separator: ","), orientation)
    }
}
