import Composition
import GStreamer
import Imaging
import MediaTypes

/// Evens out the light of frames, and leaves those out that stand out of the rest: what follows moves up, or where there is audio the
/// frame before stands for them.
struct LightFilter: Sendable {
    private let plan: LightPlan
    private let rate: Fraction
    private let keepsTimes: Bool
    private var dropped = 0
    /// The newest frame that was not left out.
    private var last: TimelapseFrame?

    /// - Parameters:
    ///   - plan: by the frames' numbers at their times.
    ///   - rate: frames a second.
    ///   - keepsTimes: whether the frame before stands for one that is left out.
    init(_ plan: LightPlan, rate: Fraction, keepsTimes: Bool = false) {
        (self.plan, self.rate, self.keepsTimes) = (plan, rate, keepsTimes)
    }

    /// - Returns: nil for a frame that is left out.
    /// - Throws: ``GStreamerError`` without memory.
    mutating func apply(to frame: TimelapseFrame) throws -> TimelapseFrame? {
        guard let time = frame.time else { return frame }
        let number = rate.slot(of: time)
        guard !plan.flashes.contains(number) else {
            if keepsTimes, let last, last.format.caps == frame.format.caps { return frame.with(last.buffer) }
            if keepsTimes { return frame }
            dropped += 1
            return nil
        }
        let lit = try evened(frame, number)
        if keepsTimes { last = lit }
        return lit
    }

    private func evened(_ frame: TimelapseFrame, _ number: Int) throws -> TimelapseFrame {
        guard let gain = plan.gains[number] else { return frame }
        var buffer = frame.buffer
        try buffer.withMutableView(frame.format) { FrameLight.multiply($0, by: gain) }
        return frame.with(buffer)
    }

    /// The frame at its place among those that are left: the last thing that is done to it, as its time tells which moment it shows.
    func placed(_ frame: TimelapseFrame) -> TimelapseFrame {
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
