package import MediaTypes

extension MovieFileWriter {
    /// What the muxer does not write by itself.
    package struct Options: Sendable {
        /// How players show the frame.
        package var orientation: MovieOrientation
        /// What the movie tells about itself.
        package var metadata: MovieMetadata
        /// What the encoder of compressed audio puts before the first real one, in samples at the audio's rate: 1024
        /// for `avenc_aac`. Opus and PCM do not need it: Opus says so itself, PCM has none.
        package var audioPriming: Int

        /// Named parts of the movie.
        package var chapters: [MovieInfo.Chapter] = []
        /// Where the last one ends, for containers that want to know before the movie has ended.
        package var chapterEnd: MediaTime?
        /// Asked for when the first samples have come.
        package var beginning: @Sendable () -> Beginning = { Beginning() }
        /// Where another movie follows: the last frame lasts until then. Asked for when the movie is finished.
        package var end: @Sendable () -> MediaTime? = { nil }
        /// When the first sample of a track is presented, from the beginning of the movie, by the track's place
        /// among the tracks, from 0. The muxer starts every track at 0, so it is for the recorder to tell; asked for when the
        /// first samples have come.
        package var startTimes: @Sendable () -> [Int: MediaTime] = { [:] }
        /// Whether the first frame was taken before the movie begins, so that the movie shows only the rest of its time.
        package var beginsInsideFrame = false
        /// Whether of the muxer's stream only the head counts, and frames come by ``MovieFileWriter/append(frame:at:duration:isKeyFrame:)``.
        package var hasOwnFragments = false
        /// Whether other encoders may follow the first one; see ``MovieFileWriter/describe(codecData:)``.
        package var mayChangeEncoder = false
        /// What kind of MP4 it is before all others, four letters; `nil` is the muxer's.
        package var majorBrand: String?
        /// What the frames tell of their light, where the muxer does not write it.
        package var light = LightMetadata()
        /// What the colors of the frames are, where the muxer does not write it, or not all.
        package var color: ColorInformation?
        /// How the frames are looked at.
        package var view = ImmersiveView()
        /// What the tracks tell about themselves, by their places.
        package var tracks: [Int: TrackAttributes] = [:]

        /// The packets that a copied stream of Opus or Vorbis begins with, for Ogg; none where it is encoded.
        package var streamHeaders: [[UInt8]] = []

        /// What all files of the recording may have together, in bytes.
        package var sizeLimit: SizeLimit?

        /// An upright movie that says nothing about itself, unless told otherwise.
        package init(
            orientation: MovieOrientation = .upright, metadata: MovieMetadata = MovieMetadata(), audioPriming: Int = 0
        ) {
            self.orientation = orientation
            self.metadata = metadata
            self.audioPriming = audioPriming
        }
    }

    /// What is known of a movie's first frame once that has come.
    package struct Beginning: Sendable {
        /// When it was taken, where ``Options/metadata`` says nothing of it.
        package var date: MovieDate?
        /// Its time code; the movie gets a track of it, if it has frames.
        package var timeCode: TimeCode?

        package init(date: MovieDate? = nil, timeCode: TimeCode? = nil) {
            (self.date, self.timeCode) = (date, timeCode)
        }
    }
}
