import GStreamer
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

extension FormatRequest {
    /// The mode for shots of a timelapse: the size of a recording's, but no faster than needed, as each frame that is not taken costs its way
    /// from the camera.
    ///
    /// - Parameters:
    ///   - size: in pixels; the largest up to 1920×1080 if left out.
    ///   - interval: from one shot to the next.
    package init(shotsEvery interval: MediaTime, of device: CaptureDevice, size: VideoSize?, bitDepth: Int) {
        self.init(size: size, bitDepth: bitDepth)
        // A slot is not to wait long for its frame, and exposures are not to become long by the mode alone.
        let fewest = max(Self.fewest, 2 / max(0.001, interval.seconds))
        let formats = device.formats.filter { $0.pixelFormat?.hasPrefix("GRAY") != true }
        let sizes = formats.map(\.size).filter { size == nil || size == $0 }
        let fitting = sizes.filter { $0.width <= 1920 && $0.height <= 1080 || $0.width <= 1080 && $0.height <= 1920 }
        guard
            let best = fitting.max(by: { $0.pixels < $1.pixels }) ?? sizes.min(by: { $0.pixels < $1.pixels }),
            let rate = formats.filter({ $0.size == best }).flatMap(\.rates).filter({ $0.doubleValue >= fewest - 0.01 })
                .min(by: { $0.doubleValue < $1.doubleValue })
        else { return }
        (self.size, self.rate) = (best, rate)
    }

    /// Frames a second.
    private static let fewest = 5.0
}
