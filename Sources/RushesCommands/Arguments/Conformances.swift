public import ActivityPage
public import ArgumentParser
import Capture
public import MediaTypes
public import Encoding
public import LiveActivity

extension VideoCodec: ExpressibleByArgument {}
extension AudioCodec: ExpressibleByArgument {}
extension ProResProfile: ExpressibleByArgument {}

extension VideoSize: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension ProgressStyle: ExpressibleByArgument {}
extension ActivityControl: ExpressibleByArgument {}
extension PageAddress: ExpressibleByArgument {}

/// A frame rate as people type it.
struct FrameRateArgument: ExpressibleByArgument, Sendable, Equatable {
    var fraction: Fraction

    init?(argument: String) {
        guard let fraction = Fraction(frameRate: argument) else { return nil }
        self.fraction = fraction
    }
}
