import Composition
import Errors
import GStreamer
import Threads

/// The zoom of a camera that has none itself: the middle of its frames, scaled to their size. Whoever gets the frames gets it, as of a lens.
final class DigitalZoom: Sendable {
    private struct State {
        var path = ZoomPath()
        let zoomer = FrameZoomer()
        /// Of the last frame.
        var seen: (caps: Caps, time: MediaTime)?
    }

    private let state = Locked(State())

    /// The largest factor: of 1080 rows an eighth is as coarse as anybody bears.
    private static let largest = 8.0

    /// The factor that a person writes: "2", "1.5x".
    ///
    /// - Throws: ``RushesError`` for another, and where frames come compressed and stay so.
    func factor(_ request: DeviceControlRequest, of camera: String) throws(RushesError) -> Double {
        guard let factor = DeviceControl.number(request.value.lowercased(), .factor),
            (1...Self.largest).contains(factor)
        else {
            throw RushesError(
                .invalidSettings, on: camera,
                "The zoom of \(camera) is 1x to \(Int(Self.largest))x, not '\(request.value)'.")
        }
        if let caps = state.withLock({ $0.seen?.caps }), !FrameZoomer.takes(caps) {
            throw RushesError(
                .invalidSettings, on: camera,
                "\(camera) has no zoom of its own, and its frames are not decoded here; choose another \(Term.videoCodec) than 'copy' to zoom."
            )
        }
        return factor
    }

    /// - Parameter duration: what the way there takes; zero for at once.
    /// - Returns: what is done, for people.
    func move(to factor: Double, over duration: MediaTime) -> String {
        state.withLock { $0.path.move(to: factor, over: duration, at: $0.seen?.time) }
        let words = DeviceControl.words(factor, .factor)
        return duration > .zero
            ? "zoom moves to \(words) over \(DeviceControl.words(duration.seconds, .seconds)), by cropping"
            : "zoom \(words), by cropping"
    }

    /// The widest field of view again, at once.
    func reset() { state.withLock { $0.path = ZoomPath() } }

    /// The frame, or what of it is shown.
    func applied(to frame: CaptureInput.TimedSample) -> CaptureInput.TimedSample {
        state.withLock { state in
            state.seen = (frame.caps, frame.time)
            let factor = state.path.next(frame.time)
            guard factor > 1 else { return frame }
            let (buffer, caps) = state.zoomer.zoom(frame.buffer, frame.caps, by: factor)
            // Without the camera's own JPEG, which has all of it.
            return CaptureInput.TimedSample(buffer: buffer, caps: caps, time: frame.time, number: frame.number)
        }
    }
}
