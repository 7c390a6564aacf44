import ArgumentParser
import Capture
import Foundation
import Rushes

/// How a timelapse is shot with a camera.
struct LiveTimelapseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Takes a shot from a camera at this interval: 2s, 500ms, 10m; or give --duration and --length.",
            valueName: "interval"))
    var every: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "An id or part of a name that 'rushes devices' shows, default, test, or gst:DESCRIPTION; append ,rotate=90 or ,mirror.",
            valueName: "camera"))
    var camera: String?

    @Option(
        help: ArgumentHelp(
            "How long shots are taken, with --resume from the first of all, or photos waited for with --watch: 90m, 12h; until Ctrl-C if left out.",
            valueName: "duration"))
    var duration: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "Takes shots at these times of day only, 06:00-20:00 or 22:00-04:00, or in daylight at --location.",
            valueName: "times|daylight"))
    var between: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where daylight is meant, by ISO 6709, such as +48.8577+002.295/; written into the movie too.",
            valueName: "iso6709"))
    var location: String?

    @Option(
        help: ArgumentHelp("Leaves out shots that are darker, from 0 for black to 100 for white.", valueName: "percent")
    )
    var minLuma: Double?

    @Flag(help: "Makes one movie a day, day-2026-11-23.mov and so on.") var daily = false

    @Flag(help: "Closes the camera between shots that are far apart.") var standby = false

    @Flag(
        help:
            "Keeps exposure, gain and white balance as they are at the first shot, where the camera has V4L2 controls for them."
    )
    var lockExposure = false

    @Flag(
        help:
            "Lets the exposure follow the light from the first shot on, by at most 1/6 stop a shot; where the exposure time cannot change further, the gain does. White balance stays. For cameras with V4L2 controls."
    )
    var rampExposure = false

    @Option(
        help: ArgumentHelp("Only writes a frame of the camera to this JPEG file, to look at.", valueName: "file"),
        completion: .file(extensions: ["jpg"]), transform: localPath)
    var preview: String?

    @Flag(help: "Continues the movie that is there, after a stop, a kill or a restart; the grid of its shots stays.")
    var resume = false

    @Option(
        help: ArgumentHelp(
            "Ends before less than this is free on the disk, such as 2G, or 0 to fill it; 50M if left out.",
            valueName: "size"))
    var minFree: FreeBytes?

    func validate() throws {
        if let every, every.duration < .milliseconds(1) { throw ValidationError("--every is at least a millisecond.") }
        if let minLuma, !(0...100).contains(minLuma) { throw ValidationError("--min-luma is a number from 0 to 100.") }
        _ = try hours()
        if let duration, duration.duration == .zero {
            throw ValidationError("--duration is zero; no shot would be taken.")
        }
    }

    /// When shots are taken.
    ///
    /// - Throws: a `ValidationError` for times or a place that cannot be read.
    func hours() throws -> TimelapseSettings.Hours? {
        let place = try location.map { text in
            guard let place = Coordinate(iso6709: text) else {
                throw ValidationError("--location is a place by ISO 6709, such as +48.8577+002.295/.")
            }
            return place
        }
        guard let between else { return nil }
        if between == "daylight" {
            guard let place else {
                throw ValidationError("--between daylight needs to know where; add --location +48.8577+002.295/, say.")
            }
            return .daylight(latitude: place.latitude, longitude: place.longitude)
        }
        let times = between.split(separator: "-", omittingEmptySubsequences: false).compactMap { Self.time(String($0)) }
        guard times.count == 2, case let hours = TimelapseSettings.Hours.between(times[0], times[1]),
            hours.problem == nil
        else { throw ValidationError("--between is two times of day, such as 06:00-20:00, or daylight.") }
        return hours
    }

    /// A time of day, "06:30".
    private static func time(_ text: String) -> DateComponents? {
        guard let match = text.wholeMatch(of: #/(\d{1,2}):(\d{2})/#), let hour = Int(match.1), let minute = Int(match.2)
        else { return nil }
        return DateComponents(hour: hour, minute: minute)
    }

    /// Whether anything here asks for a camera.
    ///
    /// - Parameter waits: whether photos are waited for, for which a duration may be given too.
    func isMeant(waits: Bool) -> Bool {
        every != nil || camera != nil || (duration != nil && !waits) || resume || between != nil || location != nil
            || minLuma != nil
            || daily || standby || lockExposure || rampExposure || preview != nil
    }

    /// From one shot to the next.
    ///
    /// - Parameter rate: frames a second of the movie.
    /// - Throws: a `ValidationError` where it is not known.
    func interval(length: TimeSpan?, rate: Fraction) throws -> MediaTime {
        if let every { return every.time }
        guard let duration, let length, length.duration > .zero else {
            throw ValidationError("Say how often a shot is taken: --every 2s, or --duration 12h with --length 30s.")
        }
        let shots = max(1, (length.time.seconds * rate.doubleValue).rounded())
        return MediaTime(seconds: max(0.001, duration.time.seconds / shots))
    }
}
