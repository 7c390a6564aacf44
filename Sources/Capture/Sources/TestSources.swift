public import MediaTypes

/// A made frame in place of a camera: `test`, or `test:pattern=ball,size=1280x720,rate=30`.
public struct TestPattern: Sendable, Hashable {
    /// A value of videotestsrc's property "pattern".
    package var pattern: String
    /// `nil`: as requested, or 1280×720.
    package var size: VideoSize?
    /// Frames a second. `nil`: as requested, or 30.
    package var rate: Fraction?

    /// A frame of colour bars, unless told otherwise.
    public init(pattern: String = "smpte", size: VideoSize? = nil, rate: Fraction? = nil) {
        self.pattern = pattern
        self.size = size
        self.rate = rate
    }
}

/// A tone in place of a microphone: `test`, or `test:frequency=1000`.
public struct TestTone: Sendable, Hashable {
    /// Hertz.
    package var frequency: Double
    /// 0 to 1 of full scale.
    package var volume: Double
    /// A value of audiotestsrc's property "wave".
    package var wave: String

    /// A tone of 440 Hz at half of full scale, unless told otherwise.
    public init(frequency: Double = 440, volume: Double = 0.5, wave: String = "sine") {
        self.frequency = frequency
        self.volume = volume
        self.wave = wave
    }
}
