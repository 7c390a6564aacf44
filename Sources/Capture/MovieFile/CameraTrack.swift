import Encoding
import GStreamer
import MediaTypes

/// One camera's frames on their way into a movie of its own, beside the composed one.
struct CameraTrack: Sendable {
    private let writer: MovieWriter
    private let frameDuration: MediaTime
    /// Frames that may wait for the encoder.
    private let limit: Int
    private var frames: CameraFrames<CaptureInput.TimedSample>
    private var caps: Caps
    /// Frames that came and are not in the movie.
    private(set) var droppedFrames = 0

    /// - Parameters:
    ///   - caps: of the first frame.
    ///   - frameDuration: as the camera promises.
    init(_ writer: MovieWriter, caps: Caps, frameDuration: MediaTime, limit: Int) {
        (self.writer, self.caps, self.frameDuration, self.limit) = (writer, caps, frameDuration, limit)
        frames = CameraFrames(frameDuration: frameDuration)
    }

    mutating func append(_ frame: CaptureInput.TimedSample) { frames.append(frame, time: frame.time) }

    /// Hands over what is known to be in the movie.
    ///
    /// - Parameter time: running time up to which the timeline is known.
    mutating func advance(to time: MediaTime, _ timeline: RecordingTimeline) {
        let end = timeline.end.flatMap { timeline.movieTime(of: $0) } ?? .longest
        for (frame, time) in frames.take(upTo: time, timeline) {
            if frame.caps != caps {
                caps = frame.caps
                writer.setVideoCaps(caps)
            }
            // The last one ends with the recording: half a frame sooner or later than it would.
            let left = end - time
            let duration = left < frameDuration * 3 / 2 ? max(.millisecond, left) : frameDuration
            let buffer = frame.buffer.retimed(presentationTime: time, duration: duration)
            if case .tooMany = writer.append(frame: buffer, limit: limit) { droppedFrames += 1 }
        }
    }

    /// Hands over what lies before the recording's end; no frame follows.
    mutating func end(_ timeline: RecordingTimeline) {
        if let end = timeline.end { advance(to: end, timeline) }
        writer.endVideo()
    }
}
