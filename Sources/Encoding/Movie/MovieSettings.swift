package import Errors
public import MediaTypes
public import MovieFiles
public import SystemPackage

/// How a movie is to be encoded; what is left out is chosen by what the machine keeps up with.
public struct MovieSettings: Sendable, Equatable {
    /// `nil`: HEVC where the machine keeps up with it, else H.264.
    public var videoCodec: VideoCodec?
    /// For ProRes.
    public var profile: ProResProfile?
    /// Constant quality, or bits a second.
    public var rateControl = RateControl.standard
    /// A speed of the encoder's own, as `rushes encoders` lists them; `nil`: the slowest that the machine keeps up with.
    public var encoderSpeed: String?
    /// A `.cube` file that the colors of all frames are looked up in; `nil` leaves them. Each camera's own movie keeps what the camera gave.
    public var lookupTable: FilePath?
    /// 8 or 10.
    public var bitDepth = 8
    /// `nil`: the one that goes with the video codec and the container.
    public var audioCodec: AudioCodec?
    /// Bits a second of each audio track; `nil` is the codec's usual. Those without loss have none to choose.
    package var audioBitrate: Int?
    /// Bits of a sample, 16 or 24, of FLAC, ALAC, and PCM in WAV; `nil` is 24. Other codecs have none.
    public var audioBitDepth: Int?
    /// Whether the audio of several microphones becomes one track; left out, each has a track of its own, with the microphone's name,
    /// and players play the first. What holds one track only is mixed in any case. Gains stay as they are: what is too loud together
    /// is cut off at full scale.
    public var mixesMicrophones = false
    /// By how much the audio is moved later, by ten seconds at most; negative is earlier, by one second at most, as the frames wait for it.
    public var audioDelay = Duration.zero
    package static let audioDelayRange = Duration.seconds(-1)...Duration.seconds(10)
    /// How players show the frame.
    public var orientation = MovieOrientation.upright
    /// What the movie tells about itself.
    public var metadata = MovieMetadata()

    /// Everything is chosen.
    public init() {}

    /// Checks what can be known before a device is opened.
    ///
    /// - Throws: ``RushesError`` if the container cannot hold a codec or cannot be turned, with the cure.
    package func check(container: Container, hasVideo: Bool, hasAudio: Bool) throws(RushesError) {
        guard container != .gif, videoCodec != .gif else {
            throw RushesError(
                .invalidSettings,
                "GIFs are made of movies, and not recorded; record a .mov, .mp4 or .mkv and export that.")
        }
        if hasVideo { try ContainerRules.checkVideo(in: container) }
        if audioBitrate != nil {
            let codec = audioCodec(in: container, beside: videoCodec)
            guard codec.hasBitrate else { throw codec.refusalOfBitrate }
        }
        if let bits = audioBitDepth {
            let codec = audioCodec(in: container, beside: videoCodec)
            guard [16, 24].contains(bits) else {
                throw RushesError(.invalidSettings, "A sample has 16 or 24 bits; set \(Term.bitDepth) to one of them.")
            }
            guard codec == .flac || codec == .alac || codec == .pcm && container == .wav else {
                throw RushesError(
                    .invalidSettings,
                    "\(codec.displayName) in \(container.displayName) has no bits to choose; leave \(Term.bitDepth) out, "
                        + "or name the file .wav or .flac")
            }
        }
        try ContainerRules.check(
            video: hasVideo ? videoCodec : nil, audio: hasAudio ? audioCodec(in: container, beside: videoCodec) : .none,
            in: container, rotation: orientation.rotation.rawValue, isMirrored: orientation.isMirrored)
    }

    /// The audio's codec in a container, beside the frame's.
    func audioCodec(in container: Container, beside video: VideoCodec?) -> AudioCodec {
        audioCodec ?? .standard(for: video, in: container)
    }
}
