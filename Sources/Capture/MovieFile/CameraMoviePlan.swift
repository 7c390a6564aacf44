import Encoding
import Errors
import GStreamer
import MediaTypes
import MovieFiles
import Threads

/// How one of several cameras is recorded to a movie of its own.
struct CameraMoviePlan {
    let camera: String
    let destination: MovieDestination
    /// The composed movie's codec.
    private let composedCodec: VideoCodec?
    /// Whether nobody chose the codec.
    private let isAutomatic: Bool
    private let planned: MoviePlanner.Planned
    private let caps: Caps
    /// Frames a second, as the camera promises; `nil` where it does not.
    let rate: Fraction?
    let frameDuration: MediaTime
    private let limit: Int

    /// What was tried and did not work, and another codec than the composed movie's, a line each.
    var notes: [String] {
        guard isAutomatic, let codec = planned.videoCodec, codec != composedCodec else { return planned.notes }
        return planned.notes + [
            "\(camera)'s own movie is \(codec.displayName), which its share of the cores is enough for; "
                + "\(Term.eachCameraCodec) decides."
        ]
    }

    /// Plans a movie for each camera, after a look at its frames and its destination.
    ///
    /// - Parameters:
    ///   - movie: the composed one, whose audio they get.
    ///   - shares: how much of the cores is for each.
    /// - Throws: ``RushesError`` if a destination or the settings cannot be had, or a camera gives no frame.
    static func plans(
        _ cameras: [VideoFeed], beside movie: MoviePlanner.Planned, at destination: MovieDestination,
        _ settings: MovieSettings, shares: [Double], needing bytes: Int64
    ) async throws -> [CameraMoviePlan] {
        var plans: [CameraMoviePlan] = []
        var names: Set<String> = []
        for (index, camera) in cameras.enumerated() {
            let plain = MovieDestination.plain(camera.plan.name)
            // Two of the same make have the same name. A long one has room for the number, which would be cut off again.
            let numbered = (2...cameras.count + 1).lazy.map {
                "\(plain.prefix(MovieDestination.longestPlain - 2)) \($0)"
            }
            let name =
                names.contains(plain.lowercased())
                ? numbered.first { !names.contains($0.lowercased()) } ?? plain : plain
            names.insert(name.lowercased())
            let own = destination.beside(name)
            try await onOwnThread("rushes-destination") { try own.check(needing: bytes) }
            let first = try await camera.firstFrame()
            let isAutomatic = settings.videoCodec == nil
            var settings = settings
            if camera.plan.orientation != .upright { settings.orientation = camera.plan.orientation }
            let rate = camera.plan.rate ?? first.caps.first?["framerate"]?.fractionValue
            var planned = try await MoviePlanner(
                settings: settings, container: destination.container(), cpuShare: shares[index]
            ).plan(frames: .init(caps: first.caps, rate: camera.plan.rate), audio: [], trying: first.buffer)
            planned.options.audioPriming = movie.options.audioPriming
            planned.options.sizeLimit = movie.options.sizeLimit
            planned.options.beginsInsideFrame = true
            plans.append(
                CameraMoviePlan(
                    camera: name, destination: own, composedCodec: movie.videoCodec, isAutomatic: isAutomatic,
                    planned: planned, caps: first.caps, rate: rate,
                    frameDuration: (rate ?? Fraction(30)).frameDuration,
                    limit: FrameBacklog.limit(of: first, among: cameras.count + 1)))
        }
        return plans
    }

    /// - Throws: ``GStreamerError`` if an element is missing or refuses a setting.
    func writer(sharingAudioOf movie: MovieWriter) throws -> CameraWriter {
        CameraWriter(
            camera: camera,
            writer: try MovieWriter(
                planned.plan, sharingAudioOf: movie, destination: destination, options: planned.options))
    }

    func track(to writer: CameraWriter) -> CameraTrack {
        CameraTrack(writer.writer, caps: caps, frameDuration: frameDuration, limit: limit)
    }
}

extension FrameBacklog {
    /// For a camera's frames as the first one is.
    ///
    /// - Parameter movies: how many are encoded at the same time, and share the memory.
    static func limit(of first: CaptureInput.TimedSample, among movies: Int = 1) -> Int {
        limit(
            rate: first.caps.first?["framerate"]?.fractionValue?.doubleValue ?? 30, frameBytes: first.buffer.byteCount,
            freeMemory: FreeMemory.bytes / Int64(max(1, movies)),
            seconds: first.caps.first.map { ["video/x-raw", "image/jpeg"].contains($0.name) } == false
                ? secondsOfStreams : seconds)
    }
}
