public import MediaTypes

/// A generated pattern in place of a camera: `test`, or `test:pattern=ball,size=1280x720,rate=30`.
public struct TestPattern: Sendable, Hashable {
    package var pattern: String
    package var size: VideoSize?
    package var rate: Fraction?

    /// Colour bars, unless told otherwise.
    ///
    /// - Parameters:
    ///   - pattern: a value of the property "pattern" of GStreamer's videotestsrc.
    ///   - size: in pixels; `nil`: as requested, or 1280×720.
    ///   - rate: frames a second; `nil`: as requested, or 30.
    public init(pattern: String = "smpte", size: VideoSize? = nil, rate: Fraction? = nil) {
        self.pattern = pattern
        self.size = size
        self.rate = rate
    }
}

/// A tone in place of a microphone: `test`, or `test:frequency=1000`.
public struct TestTone: Sendable, Hashable {
    package var frequency: Double
    package var volume: Double
    package var wave: String

    /// A tone of 440 Hz at half of full scale, unless told otherwise.
    ///
    /// - Parameters:
    ///   - frequency: in hertz.
    ///   - volume: 0 to 1 of full scale.
    ///   - wave: a value of the property "wave" of GStreamer's audiotestsrc.
    public init(frequency: Double = 440, volume: Double = 0.5, wave: String = "sine") {
        self.frequency = frequency
        self.volume = volume
        self.wave = wave
    }
}
