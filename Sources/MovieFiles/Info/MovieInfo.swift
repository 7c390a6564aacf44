public import MediaTypes

/// What a movie is: its tracks, how they are coded, how long and how large they are.
///
/// Its JSON is that of the command's `info`; names of codecs, profiles and colours are those of ffprobe.
public struct MovieInfo: Codable, Hashable, Sendable {
    /// As given; a path that is not UTF-8 as a percent-encoded `file:` URL.
    package var path: String
    /// `mov` or `mp4`, by the file's major brand.
    public var container: String
    /// Whether samples are listed in movie fragments rather than in one index.
    package var fragmented: Bool
    /// Whether the file holds every box and every sample that it lists.
    public var complete: Bool
    /// Of the longest track as played.
    public var duration: MediaTime
    /// Of the file, in bytes.
    public var size: UInt64
    /// Of the whole file, in bits a second; nil without a duration.
    package var bitRate: UInt64?
    /// ISO 8601.
    package var creationDate: String?
    /// Of the first frame: hours, minutes, seconds and frames, as `14:03:22:08`; a semicolon before the frames where numbers are left out.
    package var timecode: String?
    /// The camera's maker.
    package var make: String?
    /// The camera's model.
    package var model: String?
    /// What wrote the movie.
    package var software: String?
    /// ISO 6709.
    package var location: String?
    /// As its maker named it.
    package var title: String?
    /// What it shows.
    package var description: String?
    /// What it can be found by.
    package var keywords: [String]?
    /// Who made the video or audio.
    package var artist: String?
    /// What it is a part of.
    package var album: String?
    /// What kind it is of.
    package var genre: String?
    /// What anybody remarked.
    package var comment: String?
    /// Whose it is.
    package var copyright: String?
    /// In the order of their beginnings; empty where there are none.
    public var chapters: [Chapter]
    /// The video tracks, in the file's order.
    public var video: [Video]
    /// The audio tracks, in the file's order.
    public var audio: [Audio]
    /// The tracks of subtitles, in the file's order; nil where there are none.
    package var subtitles: [OtherTrack]?
    /// Tracks of time codes, of a camera's sensors and so on; nil where there are none.
    package var data: [OtherTrack]?
    /// Covers, by their codecs; nil where there are none.
    package var covers: [String]?
    /// What lies behind it in the file, which players do not show; nil where nothing does.
    package var appended: AppendedMovie?

    /// What the movie tells about itself.
    public var metadata: MovieMetadata {
        var metadata = MovieMetadata(
            title: title, description: description, keywords: keywords ?? [],
            creationDate: creationDate.flatMap { MovieDate($0) }, make: make, model: model, software: software,
            location: location)
        (metadata.artist, metadata.album, metadata.genre) = (artist, album, genre)
        (metadata.comment, metadata.copyright) = (comment, copyright)
        return metadata
    }

    /// A part of the movie that has a name.
    public struct Chapter: Codable, Hashable, Sendable {
        /// From the movie's beginning.
        public var start: MediaTime
        /// Its name.
        public var title: String

        /// - Parameter start: from the movie's beginning.
        public init(start: MediaTime, title: String) {
            self.start = start
            self.title = title
        }
    }

    /// A video track.
    public struct Video: Codable, Hashable, Sendable {
        /// As ffprobe names it: `hevc`, `h264`, `prores`, `av1`, `vp9`, `mjpeg`.
        public var codec: String
        /// As ffprobe names it, but for ProRes: `proxy`, `lt`, `422`, `hq`, `4444`, `4444xq`.
        public var profile: String?
        /// The sample entry's type, as `hvc1`.
        package var codecTag: String
        /// As stored, in pixels.
        package var width: Int
        /// As stored, in pixels.
        package var height: Int
        /// As shown: with the pixels' shape and the turn.
        package var displayWidth: Int
        /// As shown, likewise.
        package var displayHeight: Int
        /// Degrees clockwise that a player rotates the video: 0, 90, 180 or 270.
        package var rotation: Int
        /// Whether a player mirrors the video, before it turns it.
        package var mirrored: Bool
        /// Frames a second, on average.
        public var frameRate: Double?
        /// All frames in the track.
        public var frameCount: Int
        /// Those that its edit list shows; nil where it shows all, or was not asked.
        package var shownFrameCount: Int?
        /// Of one component.
        public var bitDepth: Int?
        /// `4:2:0`, `4:2:2`, `4:4:4`, `4:0:0`.
        public var chroma: String?
        /// In bits a second.
        package var bitRate: UInt64?
        /// As played.
        package var duration: MediaTime
        /// As ffprobe names them (ISO/IEC 23091-2); nil where unspecified.
        public var colorPrimaries: String?
        /// The transfer characteristics.
        public var transfer: String?
        /// The matrix coefficients.
        package var matrix: String?
        /// `limited` or `full`.
        package var range: String?
        /// Of HDR10: the display that it was mastered on; nil where nothing is told.
        package var masteringDisplay: MasteringDisplay?
        /// Of HDR10: how bright it is at most; nil where nothing is told.
        package var contentLight: ContentLight?
        /// BCP 47; nil where it is not known.
        package var language: String?

        /// As stored, in pixels.
        public var size: VideoSize { VideoSize(width, height) }
        /// As shown: with the pixels' shape and the turn.
        public var displaySize: VideoSize { VideoSize(displayWidth, displayHeight) }
        /// How a player turns and mirrors the video.
        public var orientation: MovieOrientation {
            MovieOrientation(degrees: rotation, isMirrored: mirrored) ?? .upright
        }
    }

    /// An audio track.
    public struct Audio: Codable, Hashable, Sendable {
        /// As ffprobe names it: `aac`, `opus`, `flac`, `pcm_s16le`, …
        public var codec: String
        /// The sample entry's type, as `mp4a`.
        package var codecTag: String
        /// As decoded.
        public var channels: Int
        /// In hertz.
        public var sampleRate: Int
        /// As played.
        package var duration: MediaTime
        /// In bits a second.
        package var bitRate: UInt64?
        /// BCP 47; nil where it is not known.
        package var language: String?
        /// As players list it: of one of several microphones its name.
        package var title: String?
    }

    /// A track that is neither video nor audio.
    package struct OtherTrack: Codable, Hashable, Sendable {
        /// As ffprobe names it: `subrip`, `mov_text`, `ass`; of data the type of its sample entry, as `tmcd`.
        package var codec: String
        /// BCP 47; nil where it is not known.
        package var language: String?
        /// As players list it.
        package var title: String?
        /// How many samples it has; nil where counting takes too long.
        package var sampleCount: Int?
        /// Of one that does not say how it is coded, and which nothing decodes: `video`, `audio`, or its handler's type.
        package var kind: String?

        package init(
            codec: String, language: String?, title: String?, sampleCount: Int?, kind: String? = nil
        ) {
            (self.codec, self.language, self.title) = (codec, language, title)
            (self.sampleCount, self.kind) = (sampleCount, kind)
        }
    }
}
