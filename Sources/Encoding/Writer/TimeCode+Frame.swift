import GStreamer
import MovieFiles

extension TimeCode {
    /// That of a frame of a stream; nil where it is none that exists.
    init?(_ code: FrameTimeCode) {
        guard let numerator = UInt32(exactly: code.rate.numerator),
            let denominator = UInt32(exactly: code.rate.denominator)
        else { return nil }
        self.init(
            hours: code.hours, minutes: code.minutes, seconds: code.seconds, frames: code.frames,
            rateNumerator: numerator, rateDenominator: denominator, isDropFrame: code.isDropFrame)
    }
}
