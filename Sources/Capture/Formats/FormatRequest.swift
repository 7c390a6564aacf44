public import MediaTypes

/// What is asked of a camera's format; what is left out is chosen.
public struct FormatRequest: Sendable, Hashable {
    package var size: VideoSize?
    package var rate: Fraction?
    package var bitDepth: Int
    package var copiesStream: Bool

    /// Asks for what is given; without any, for the best mode.
    ///
    /// - Parameters:
    ///   - size: in pixels.
    ///   - rate: frames a second.
    ///   - bitDepth: bits of a colour, 8 or 10.
    ///   - copiesStream: whether the camera's own compressed stream is wanted as it comes, not decoded.
    public init(size: VideoSize? = nil, rate: Fraction? = nil, bitDepth: Int = 8, copiesStream: Bool = false) {
        self.size = size
        self.rate = rate
        self.bitDepth = bitDepth
        self.copiesStream = copiesStream
    }
}
