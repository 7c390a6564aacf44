package import GStreamer
public import MediaTypes

/// One size at which a camera delivers one kind of frame, with the rates that it has there.
public struct CaptureFormat: Sendable, Hashable {
    /// What a frame is when it leaves the camera.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Encoding: String, Sendable, Hashable, CaseIterable {
        case raw, mjpeg, h264

        /// GStreamer's media type.
        var mediaType: String {
            let codec: CodecIdentifiers? =
                switch self {
                case .raw: nil
                case .mjpeg: .mjpeg
                case .h264: .h264
                }
            return codec?.mediaType ?? "video/x-raw"
        }
    }

    /// Raw, or how it is compressed.
    public var encoding: Encoding
    /// GStreamer's name of the pixel format, such as "YUY2"; `nil` for compressed frames.
    package var pixelFormat: String?
    /// Pixels.
    package var width: Int
    /// Pixels.
    package var height: Int
    /// Frames a second, the fastest first.
    public var rates: [Fraction]
    /// GStreamer's name of the colorimetry, such as "bt709", where there is exactly one.
    package var colorimetry: String?

    /// - Parameter rates: frames a second, the fastest first.
    package init(
        encoding: Encoding, pixelFormat: String? = nil, size: VideoSize, rates: [Fraction], colorimetry: String? = nil
    ) {
        self.encoding = encoding
        self.pixelFormat = pixelFormat
        (width, height) = (size.width, size.height)
        self.rates = rates
        self.colorimetry = colorimetry
    }

    /// Width and height in pixels.
    public var size: VideoSize { VideoSize(width, height) }

    /// Fixed caps at one rate, which pin a source to this mode.
    ///
    /// v4l2src by itself picks caps without regard to the rate (1.22), and a PipeWire camera without a fixed rate
    /// crashes its clients (0.3.65); so every field is named.
    package func caps(rate: Fraction) -> Caps {
        var fields: [String: FieldValue] = [
            "width": .int(Int64(width)), "height": .int(Int64(height)), "framerate": .fraction(rate),
        ]
        if let pixelFormat { fields["format"] = .string(pixelFormat) }
        return Caps(encoding.mediaType, fields)
    }
}
