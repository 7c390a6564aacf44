import GStreamer
import MediaTypes

extension OpenedTrack {
    /// How wide a pixel is for its height.
    var pixelShape: Fraction {
        caps.first?["pixel-aspect-ratio"]?.fractionValue.flatMap { $0.doubleValue > 0 ? $0 : nil } ?? Fraction(1)
    }

    /// What more frames a second than these are called is a clock's rate: some streams tell that of the clock that their times are counted by.
    static let fastest = Fraction(1000)

    /// What the stream calls that.
    var toldRate: Fraction? {
        caps.first?["framerate"]?.fractionValue.flatMap { $0.numerator > 0 ? $0 : nil }
    }

    /// Frames a second, where the decoder tells.
    var ownRate: Fraction? { toldRate.flatMap { $0.doubleValue <= Self.fastest.doubleValue ? $0 : nil } }

    /// What frames a second the first frame's duration stands for, where the file does not tell: x265enc (1.22) does not
    /// open without a rate, and without one the parsers behind encoders let a movie of one frame last no time at all.
    var usualRate: Fraction {
        guard let duration = first.buffer?.duration, duration > .zero else { return Fraction(30) }
        // In milliseconds, for numbers that all elements take.
        return Fraction(1000, Int(min(max(duration / .millisecond, 1), 1_000_000)))
    }
}
