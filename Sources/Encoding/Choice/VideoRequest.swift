package import GStreamer

/// What is wanted of a video encoder.
package struct VideoRequest: Sendable, Equatable {
    /// `nil`: what the machine keeps up with, HEVC before H.264.
    package var codec: VideoCodec?
    /// For ProRes; `nil` is the table's first, HQ.
    package var profile: ProResProfile?
    /// What the frames go into.
    package var container: Container
    /// Pixels.
    package var size: VideoSize
    /// Frames a second.
    package var rate: Fraction
    /// Frames a second that come to the encoder, where those are fewer than the movie shows in a second; `nil` where they are as many.
    package var arrivalRate: Double?
    /// 8 or 10.
    package var bitDepth: Int
    /// How many colour samples are written.
    package var chroma: ChromaSubsampling
    /// Whether the frames say how opaque they are, which is kept by encoders that can.
    package var hasAlpha = false
    /// Whether frames come live or from a file.
    package var purpose: EncodingPurpose
    /// How size is traded for quality.
    package var control: RateControl
    /// For encoders that know two passes; the others ignore it.
    package var pass: EncodingPass?
    /// A name of the encoder table's, for files; `nil` is the slowest that is meant for them.
    package var speed: String?
    /// A name of the encoder table's that a person asks for: an encoder without it is not used.
    package var requiredSpeed: String?
    /// How many processor cores there are.
    package var cores: Int
    /// How many of them others leave free, as ``ProcessorWatch`` tells; all of them where that is not known.
    package var freeCores: Double
    /// How fast a core is beside the one of the encoder tables' costs; 1 is as fast.
    package var coreSpeed: Double

    /// What is omitted has the value of a recording: 8 bits, 4:2:0, and all cores.
    package init(
        codec: VideoCodec? = nil, profile: ProResProfile? = nil, container: Container, size: VideoSize, rate: Fraction,
        bitDepth: Int = 8, chroma: ChromaSubsampling = .yuv420, purpose: EncodingPurpose = .live,
        control: RateControl = .standard, speed: String? = nil, cores: Int = MachineCores.available,
        freeCores: Double? = nil, coreSpeed: Double = 1
    ) {
        self.freeCores = min(Double(cores), freeCores ?? Double(cores))
        self.coreSpeed = coreSpeed
        self.codec = codec
        self.profile = profile
        self.container = container
        self.size = size
        self.rate = rate
        self.bitDepth = bitDepth
        self.chroma = chroma
        self.purpose = purpose
        self.control = control
        self.speed = speed
        self.cores = cores
    }

    /// How many cores a live encoder may need by its measured cost.
    var limit: Double { EncoderTables.cpuBudget * freeCores }
    var pixelsPerSecond: Double { Double(size.pixels) * rate.doubleValue }
    /// What the encoder has to keep up with.
    var arrivingPixels: Double { Double(size.pixels) * (arrivalRate ?? rate.doubleValue) }
}

/// How size is traded for quality.
public enum RateControl: Codable, Sendable, Hashable {
    /// The encoder table's default quality.
    case standard
    /// Constant quality, 0 to 100.
    case quality(Int)
    /// Bits per second.
    case bitrate(Int)
}
