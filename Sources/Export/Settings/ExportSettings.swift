public import Encoding
public import MediaTypes
import MovieFiles
public import SystemPackage

/// What an export is to make of its input; what is left out is the preset's or the input's own.
///
/// It is `Codable` as the manifest of a batch keeps it, and `Hashable` so that a changed wish is noticed on a resume.
public struct ExportSettings: Codable, Sendable, Hashable {
    /// A name from `pipelines/encoding-profiles`, `copy`, or the path of a `.gep` file.
    public var preset: String
    /// `nil` is the preset's.
    public var videoCodec: VideoCodec?
    /// For ProRes.
    public var profile: ProResProfile?
    /// How size and quality are traded; the standard is the preset's.
    public var rateControl: RateControl = .standard
    /// A speed of the encoder's own, as `rushes encoders` lists them; `nil` is the preset's.
    public var encoderSpeed: String?
    /// The whole file's size in bytes, reached with two passes.
    public var targetSize: Int64?
    /// How similar to the input the output has to be; the constant quality for that is found by encoding samples.
    public var targetQuality: TargetQuality?
    /// 8 or 10; `nil` is the input's where the codec has it.
    public var bitDepth: Int?
    /// How many colour samples are written; `nil` is 4:2:0, and for ProRes its profile's.
    public var chroma: Chroma?
    /// The frame's size before it is turned for display.
    public var size: VideoSize?
    /// How large frames become that keep their shape; `nil`: ``size``, or as large as they are. Excludes ``size``.
    package var scale: FrameScale?
    /// Constant frames a second; `nil` keeps the input's times.
    public var rate: Fraction?
    /// How many times as fast the output plays as the input, ``speedRange``; `nil`: as fast. Audio keeps its pitch, and chapters and subtitles
    /// their places.
    package var speed: Double?
    /// The part of the frame to take; `nil` is all of it.
    public var crop: CropArea?
    /// Whether black bars are looked for, and cut off; `nil`: no. Excludes ``crop``.
    package var cropsBlackBars: Bool?
    /// What becomes of the turn that the input tells.
    public var rotation: RotationHandling = .keep
    /// What becomes of interlaced frames.
    public var deinterlacing: Deinterlacing = .automatic
    /// A `.cube` file that the colors of all frames are looked up in; `nil` leaves them.
    public var lookupTable: FilePath? {
        get { lookupTablePath.flatMap { FilePath(wireText: $0) } }
        set { lookupTablePath = newValue?.wireText }
    }
    /// The same as a manifest keeps it.
    private var lookupTablePath: String?
    /// An image that is shown as long as the audio of the input, which has no video; `nil`: none.
    package var image: FilePath? {
        get { imagePath.flatMap { FilePath(wireText: $0) } }
        set { imagePath = newValue?.wireText }
    }
    /// The same as a manifest keeps it.
    private var imagePath: String?
    /// What libavfilter does to the frames, once they are upright and before anything else, as ffmpeg's `-vf` writes it; `nil`: nothing.
    package var videoFilter: String?
    /// What libavfilter does to each audio track of the input, as ffmpeg's `-af` writes it; `nil`: nothing.
    package var audioFilter: String?
    /// How audio is written.
    public var audio: AudioHandling = .preset
    /// Bits a second of every audio track that is encoded, which then all are; `nil` is the codec's usual.
    package var audioBitrate: Int?
    /// Samples a second of every audio track, which is encoded; `nil` keeps the input's.
    package var sampleRate: Int?
    /// Bits of a sample of PCM, FLAC and ALAC, 16 or 24; `nil`: as many as there are, up to 24.
    package var audioBitDepth: Int?
    /// By how much audio is presented later than in the input, or earlier where it is below zero; `nil`: not at all.
    package var audioDelay: MediaTime?
    /// Channels of every audio track; `nil` keeps the input's.
    public var channels: Int?
    /// Which audio tracks are taken; `nil` is all that the output holds.
    package var audioTracks: TrackSelection?
    /// Which subtitle tracks are taken, likewise.
    package var subtitleTracks: TrackSelection?
    /// Which subtitles are drawn into the frames; `nil`: none.
    package var burntSubtitles: SubtitleChoice?
    /// Files of subtitles that become tracks of the output, behind those of the input; `nil`: none.
    package var addedSubtitles: [AddedSubtitles]?
    /// Files whose audio becomes tracks of the output, behind those of the input; `nil`: none.
    package var addedAudio: [AddedAudio]?
    /// How loud each audio track is to be as a whole, in LUFS (EBU R 128), from -70 to -5; `nil` leaves it as it is.
    package var loudness: Double?
    /// The part of the input's presentation to take.
    public var range: TimeRange?
    /// Whether another file goes on where ``range`` ends, so that no frame and no packet of audio is in both; nil: no.
    package var isContinued: Bool?
    /// Several parts of the input's presentation, joined in this order; nil for none. Excludes ``range``.
    package var parts: [TimeRange]?
    /// Whether what the input says of itself is left out: date, place, camera, time code, titles of movie, video and audio, and all other tags, its
    /// cover and what lies beside video, audio and subtitles but fonts; `nil`: no. Chapters, tracks' languages and how frames are turned stay.
    package var stripsMetadata: Bool?
    /// Encodes even what could be copied.
    public var reencodes = false
    /// The index in front of the data.
    public var fastStart = false
    /// Where several movies are composed, how.
    package var composition: CompositionSettings?
    /// How the output is checked before it gets its name.
    public var verification: Verification = .quick

    /// - Parameter preset: a name from `pipelines/encoding-profiles`, `copy`, or the path of a `.gep` file.
    public init(preset: String = "hevc") { self.preset = preset }

    /// Whether less than all of the input is taken.
    var takesParts: Bool { range != nil || parts != nil }

    /// What becomes of an orientation that the input tells.
    public enum RotationHandling: String, Codable, Sendable, Hashable, CaseIterable {
        /// The output tells it too.
        case keep
        /// The frames themselves are turned.
        case apply
    }

    /// What becomes of interlaced frames.
    public enum Deinterlacing: String, Codable, Sendable, Hashable, CaseIterable {
        /// What the input calls interlaced is deinterlaced where the target codec's presets ask for it.
        case automatic
        case always
        case never
    }

    /// How many colour samples are written.
    public enum Chroma: Codable, Sendable, Hashable {
        /// The input's where the encoder has it.
        case keep
        case exactly(ChromaSubsampling)
    }

    /// How audio is written.
    public enum AudioHandling: Codable, Sendable, Hashable {
        /// The preset's codec; a track in that codec already is copied.
        case preset
        /// As it is.
        case copy
        case codec(AudioCodec)
    }

    /// How the output is checked before it gets its name.
    public enum Verification: String, Codable, Sendable, Hashable, CaseIterable {
        case off
        /// Index, streams, duration and number of frames, and those behind the first and the last key frame decoded, 24 at most.
        case quick
        /// Every frame is decoded.
        case full
    }
}

/// Part of a frame, in pixels of the input before it is turned for display.
public struct CropArea: Codable, Sendable, Hashable {
    package var x: Int
    package var y: Int
    package var size: VideoSize

    /// - Parameters:
    ///   - x: pixels from the left.
    ///   - y: pixels from the top.
    ///   - size: in pixels.
    public init(x: Int, y: Int, size: VideoSize) { (self.x, self.y, self.size) = (x, y, size) }
}

/// Part of a movie, in nanoseconds of its presentation; without an end it goes to the movie's.
///
/// A negative time counts from the movie's end: of `-10 * .second` on, the last ten seconds. That is for ``ExportSettings/range``; parts that
/// are joined have times from the beginning.
public struct TimeRange: Codable, Sendable, Hashable {
    /// Where it begins; further before the end than the movie is long: where that begins.
    public var start: MediaTime
    /// Where it ends; `nil` is the movie's end.
    public var end: MediaTime?

    /// All of the movie, unless told otherwise.
    public init(start: MediaTime = .zero, end: MediaTime? = nil) { (self.start, self.end) = (start, end) }
}
