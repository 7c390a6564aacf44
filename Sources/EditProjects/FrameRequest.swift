import MediaTypes

/// How MLT is asked for a camera's frames, so that of each moment it shows what the recording had: the newest frame that is not later.
///
/// MLT (7.12, `producer_avformat.c`) turns the moment into a number, `Int(moment * rate + 0.5)`, each frame's time with `video_delay` too,
/// and shows the first frame whose number is not lower. So it goes on to another one half a frame off the whole ones of the camera's rate,
/// wherever its frames lie: right of the same rate, where half a frame as the delay makes the newest of the nearest. Of another rate
/// the moments lie elsewhere each time; asked a few frames later in the source, with a delay as much longer, it
/// goes on between other ones, and with one of these offsets where the recording did.
struct FrameRequest: Equatable {
    /// Frames of the composed movie by which clips begin later in the camera's movie.
    private(set) var offset = 0
    /// Seconds by which MLT takes the camera's frames to be later than they are.
    private(set) var seconds = 0.0

    /// Nothing is to be changed.
    init() {}

    /// - Parameters:
    ///   - rate: of the composed movie.
    ///   - frameCount: of it, too.
    init(of camera: EditProject.Movie, at rate: Fraction, frameCount: Int) {
        let composed = rate.doubleValue
        let frames = min(frameCount, Self.mostFrames)
        // The least offset that is right.
        var fewest = Int.max
        for offset in 0...max(0, Int(composed * Self.longestOffset)) {
            var request = FrameRequest()
            request.offset = offset
            // Not all of a half, for those that come with the main one's.
            request.seconds = Double(offset) / composed + 0.49 / camera.rate.doubleValue
            let wrong = request.wrongFrames(of: camera, at: composed, among: frames)
            if wrong < fewest { (fewest, self) = (wrong, request) }
            if wrong == 0 { break }
        }
    }

    /// As `video_delay` has it.
    var delay: String { "\((seconds * 1_000_000).rounded() / 1_000_000)" }

    /// In seconds. Offsets come round again with the frames of both rates that coincide, of usual ones within a fifth of a second.
    private static let longestOffset = 0.5
    /// More tell nothing new of two rates.
    private static let mostFrames = 1000

    /// In how many of the composed movie's frames another one would be shown than the recording has.
    private func wrongFrames(of camera: EditProject.Movie, at composed: Double, among count: Int) -> Int {
        let rate = camera.rate.doubleValue
        let second = camera.secondFrame?.seconds ?? 1 / rate
        func time(_ frame: Int) -> Double { frame == 0 ? 0 : second + Double(frame - 1) / rate }
        var (wrong, newest, shown) = (0, 0, 0)
        for frame in 0..<count {
            // The times of files are rounded.
            while time(newest + 1) <= Double(frame) / composed + 0.000_001 { newest += 1 }
            let number = Int(Double(frame + offset) / composed * rate + 0.5)
            while Int((time(shown) + seconds) * rate + 0.5) < number { shown += 1 }
            if shown != newest { wrong += 1 }
        }
        return wrong
    }
}
