import Composition
import GStreamer
import Imaging
import MediaTypes

/// Evens out the light of frames, and leaves those out that stand out of the rest; what follows moves up.
struct LitFrames: Sendable {
    private let plan: LightPlan
    private let rate: Fraction
    private var dropped = 0

    /// - Parameters:
    ///   - plan: by the frames' numbers at their times.
    ///   - rate: frames a second.
    init(_ plan: LightPlan, rate: Fraction) { (self.plan, self.rate) = (plan, rate) }

    /// - Returns: nil for a frame that is left out.
    /// - Throws: ``GStreamerError`` without memory.
    mutating func apply(to frame: LookedFrame) throws -> LookedFrame? {
        guard let time = frame.time else { return frame }
        let number = rate.slot(of: time)
        guard !plan.flashes.contains(number) else {
            dropped += 1
            return nil
        }
        guard let gain = plan.gains[number] else { return frame }
        var buffer = frame.buffer
        try buffer.withMutableView(frame.format) { FrameLight.multiply($0, by: gain) }
        return frame.with(buffer)
    }

    /// The frame at its place among those that are left: the last thing that is done to it, as its time tells which moment it shows.
    func placed(_ frame: LookedFrame) -> LookedFrame {
        guard dropped > 0, let time = frame.buffer.presentationTime else { return frame }
        var frame = frame
        frame.buffer = frame.buffer.retimed(
            presentationTime: time - MediaTime(samples: dropped, of: rate), duration: frame.buffer.duration)
        frame.sample = frame.sample.with(frame.buffer, frame.format.caps)
        return frame
    }
}

extension Fraction {
    /// Which frame of this rate is shown at a time.
    func slot(of time: MediaTime) -> Int { Int((time.seconds * doubleValue).rounded()) }
}
