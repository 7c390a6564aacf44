import ArgumentParser
import Capture
import Rushes

/// How a timelapse is shot with a camera.
struct LiveTimelapseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Takes a shot from a camera so often: 2s, 500ms, 10m; or give --duration and --length.",
            valueName: "interval"))
    var every: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "An id or part of a name that 'rushes devices' shows, default, test, or gst:DESCRIPTION; behind it, ,rotate=90 and ,mirror.",
            valueName: "camera"))
    var camera: String?

    @Option(help: ArgumentHelp("How long shots are taken: 90m, 12h; until Ctrl-C if left out.", valueName: "duration"))
    var duration: TimeSpan?

    @Flag(help: "Goes on in the movie that is there, after a stop, a kill or a restart; the grid of its shots stays.")
    var resume = false

    @Option(
        help: ArgumentHelp(
            "Ends before less than this is free on the disk, such as 2G; 50M if left out.", valueName: "size"))
    var minFree: ByteCount?

    func validate() throws {
        if let every, every.seconds < 0.001 { throw ValidationError("--every is at least a millisecond.") }
        if let duration, duration.seconds == 0 { throw ValidationError("--duration is zero; no shot would be taken.") }
    }

    /// Whether anything here asks for a camera.
    var isMeant: Bool { every != nil || camera != nil || duration != nil || resume }

    /// From one shot to the next.
    ///
    /// - Parameter rate: frames a second of the movie.
    /// - Throws: a `ValidationError` where it is not known.
    func interval(length: TimeSpan?, rate: Fraction) throws -> MediaTime {
        if let every { return MediaTime(seconds: every.seconds) }
        guard let duration, let length, length.seconds > 0 else {
            throw ValidationError("How often is a shot taken? Give --every 2s, or --duration 12h with --length 30s.")
        }
        let shots = max(1, (length.seconds * rate.doubleValue).rounded())
        return MediaTime(seconds: max(0.001, duration.seconds / shots))
    }
}
