public import GStreamer

/// What is asked of a camera's format; what is left out is chosen.
public struct FormatRequest: Sendable, Hashable {
    /// Pixels.
    public var size: VideoSize?
    /// Frames a second.
    public var rate: Fraction?
    /// Bits of a colour, 8 or 10.
    public var bitDepth: Int
    /// Whether the camera's own compressed stream is wanted as it comes (`--codec copy`), not decoded.
    public var copiesStream: Bool

    /// Asks for what is given; without any, for the best mode.
    public init(size: VideoSize? = nil, rate: Fraction? = nil, bitDepth: Int = 8, copiesStream: Bool = false) {
        self.size = size
        self.rate = rate
        self.bitDepth = bitDepth
        self.copiesStream = copiesStream
    }
}
