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
    /// The last frame, which lasts until the next one comes, and its presentation timestamp.
    private var held: (buffer: Buffer, time: MediaTime)?
    private var hasEnded = false
    /// Presentation timestamps of the first two frames, as far as they are known.
    private var firstTimes: [MediaTime] = []
    /// Frames that the encoder had no room for.
    private var refused = 0
    private var decimator = FrameDecimator()

    struct Counts: Sendable, Equatable {
        /// Frames that the encoder had no room for.
        var refusedFrames: Int
        var waitingLimit: Int
    }

    var counts: Counts { Counts(refusedFrames: refused, waitingLimit: limit) }
    /// Frames that came and are not in the movie.
    var droppedFrames: Int { refused + frames.lost }
    /// When the second frame is shown, from the movie's beginning; `nil` as long as there is none.
    var secondFrame: MediaTime? { firstTimes.count > 1 ? firstTimes[1] : nil }

    /// - Parameters:
    ///   - caps: of the first frame.
    ///   - frameDuration: as the camera promises.
    ///   - limit: frames that may wait for the encoder.
    init(_ writer: MovieWriter, caps: Caps, frameDuration: MediaTime, limit: Int) {
        (self.writer, self.caps, self.frameDuration, self.limit) = (writer, caps, frameDuration, limit)
        frames = CameraFrames(frameDuration: frameDuration, limit: limit)
    }

    mutating func append(_ frame: CaptureInput.TimedSample) {
        if !hasEnded { frames.append(frame, time: frame.time) }
    }

    /// Hands over one of so many frames from now on.
    mutating func decimate(to divisor: Int) { decimator.divisor = divisor }
    var leftOutFrames: Int { decimator.leftOut }

    /// Hands over nothing any more.
    mutating func abandon() { (hasEnded, held) = (true, nil) }

    /// Hands over what is known to be in the movie.
    ///
    /// - Parameter time: running time up to which the timeline is known.
    mutating func advance(to time: MediaTime, _ timeline: RecordingTimeline) {
        guard !hasEnded else { return }
        for (frame, time) in frames.take(upTo: time, timeline) where decimator.keeps() {
            pass(until: time)
            if frame.caps != caps {
                caps = frame.caps
                writer.setVideoCaps(caps)
            }
            held = (frame.buffer, time)
            if firstTimes.count < 2 { firstTimes.append(time) }
        }
    }

    /// Hands over what lies before the recording's end; no frame follows.
    mutating func end(_ timeline: RecordingTimeline) {
        guard !hasEnded else { return }
        if let end = timeline.end {
            advance(to: end, timeline)
            let last = timeline.movieTime(of: end) ?? .zero
            // Parsers give a frame that lasts long the length of the others.
            if let held, last - held.time > frameDuration * 3 / 2 {
                pass(until: last - frameDuration)
                self.held = (held.buffer, last - frameDuration)
            }
            pass(until: last)
        }
        hasEnded = true
        writer.endVideo()
    }

    /// The held frame lasts until then.
    private mutating func pass(until end: MediaTime) {
        guard let (buffer, time) = held else { return }
        held = nil
        let timed = buffer.retimed(presentationTime: time, duration: max(.millisecond, end - time))
        if case .tooMany = writer.append(frame: timed, limit: limit) { refused += 1 }
    }
}
