public import MediaTypes

/// What is asked of a camera's format; what is left out is chosen.
public struct FormatRequest: Sendable, Hashable {
    /// Pixels.
    package var size: VideoSize?
    /// Frames a second.
    package var rate: Fraction?
    /// Bits of a colour, 8 or 10.
    package var bitDepth: Int
    /// Whether the camera's own compressed stream is wanted as it comes (`--codec copy`), not decoded.
    package var copiesStream: Bool

    /// Asks for what is given; without any, for the best mode.
    public init(size: VideoSize? = nil, rate: Fraction? = nil, bitDepth: Int = 8, copiesStream: Bool = false) {
        self.size = size
        self.rate = rate
        self.bitDepth = bitDepth
        self.copiesStream = copiesStream
    }
}
