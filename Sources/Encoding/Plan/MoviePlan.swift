package import GStreamer
package import MovieFiles
package import Workarounds

/// What a movie is to be made of: everything that a ``MovieWriter`` needs to know before the first frame.
package struct MoviePlan: Sendable, Equatable {
    /// One track: what is handed in, and the elements that make the container's form of it.
    package struct Track: Sendable, Equatable {
        /// What the buffers handed in are.
        package var caps: Caps
        /// Converters, encoder and parser, from the buffers handed in to what the muxer takes.
        package var nodes: [PipelineDescription.Node]
        /// How Matroska describes its frames, where its muxer does not know them; see ``MatroskaBitmapHeader``.
        package var bitmapHeader: BitmapHeader?
        /// What it tells about itself.
        package var attributes = TrackAttributes()
        /// The encoder's speed as its table names it; `nil` where it has one only.
        package var speed: String?
        /// The same encoder at its faster speeds, the next one first, where one of these can take its place while frames come.
        package var faster: [Speed] = []

        /// - Parameter nodes: from the buffers handed in to what the muxer takes.
        package init(caps: Caps, nodes: [PipelineDescription.Node]) {
            self.caps = caps
            self.nodes = nodes
        }
    }

    /// An encoder that is faster.
    package struct Speed: Sendable, Equatable {
        /// As the encoder table names it.
        package var name: String
        /// As ``Track/nodes``.
        package var nodes: [PipelineDescription.Node]
    }

    /// The muxer's element, such as "qtmux".
    package var muxer: String
    /// Whether the file is QuickTime or MP4, which ``MovieFileWriter`` writes in fragments and completes.
    package var isMovieFile: Bool
    /// What kind of file ``MovieFiles`` writes without a muxer, of one audio track; `nil` where there is a muxer.
    package var audioFile: AudioFileType?
    /// What kind of MP4 the file says it is before all others; `nil` is the muxer's.
    package var majorBrand: String?
    /// `nil`: no frame.
    package var video: Track?
    /// How its frames are looked at.
    package var view = ImmersiveView()
    /// The first is what players play.
    package var audio: [Track]
    /// What has come live must not wait; what comes from a file waits for the encoder.
    package var purpose: EncodingPurpose
    /// Nothing is written, and the frames alone are encoded: for the first of two passes.
    package var isDiscarded = false
    /// The muxer writes by itself to a file that somebody else opened.
    var isOpenFile = false

    /// Whether each frame is on the disk as soon as it is encoded, and not when the muxer knows the next one: for frames that come
    /// seconds or hours apart. Of frames alone, with encoders that do not reorder them.
    package var writesEachFrame = false

    /// Whether the encoder needs a frame only while it is handed over; see ``VideoEncoder/copiesFrames``.
    package var lendsFrames = false

    /// The colours to put into the encoded frames; `nil` where the encoder does it, or where they are not known.
    package var streamColor: StreamColor?

    /// A movie of these tracks in the muxer's container, recorded unless `purpose` says otherwise.
    package init(
        muxer: String, isMovieFile: Bool, video: Track?, audio: [Track] = [],
        streamColor: StreamColor? = nil, purpose: EncodingPurpose = .live, audioFile: AudioFileType? = nil,
        majorBrand: String? = nil
    ) {
        (self.audioFile, self.majorBrand) = (audioFile, majorBrand)
        self.purpose = purpose
        self.streamColor = streamColor
        self.muxer = muxer
        self.isMovieFile = isMovieFile
        self.video = video
        self.audio = audio
    }

    /// The longest time that a fragment of the file may last, in milliseconds. What a killed recorder loses is at most this
    /// and the encoder's delay; each fragment costs about 200 bytes. An export that is killed begins anew, so there it is longer; but the
    /// muxer holds all of a fragment in memory, which of ProRes at 3840×2160 is 110 MB a second.
    var fragmentDuration: Int {
        guard purpose == .export else { return 500 }
        guard let framePixels else { return 4000 }
        let rate = video?.caps.first?["framerate"]?.fractionValue?.doubleValue ?? 0
        let pixels = Double(framePixels) * (rate > 0 ? rate : 30)
        return Int(min(4000, max(500, 1000 * Self.fragmentPixels / pixels)))
    }
    /// So many pixels an exported fragment has about; a pixel is less than a byte in all but ProRes 4444's most.
    private static let fragmentPixels = 125e6
    /// How much of a track's packets may wait for the other tracks or the disk, in nanoseconds: more than the three seconds
    /// that raw frames may wait for their encoder, with what that holds itself.
    static let queueTime = 8_000_000_000
    /// The same for an export, in bytes: an encoder's look-ahead can be a minute where frames are rare, and audio that
    /// could not wait so long would stop the reading that the encoder needs.
    static let queueSize = 64 << 20
    /// Raw frames that wait for the encoder in an export: enough that reader and encoder never wait for each other by
    /// turns, and no more, as each is megabytes.
    var waitingFrames: Int { framePixels.map { min(4, max(2, Self.waitingPixels / $0)) } ?? 4 }
    private static let waitingPixels = 16_000_000
    private var framePixels: Int? {
        guard let frame = video?.caps.first, let width = frame["width"]?.intValue,
            let height = frame["height"]?.intValue
        else { return nil }
        return max(1, width * height)
    }
    /// Audio that waits for its encoder in an export, in nanoseconds.
    static let waitingAudio = 500_000_000

    /// Whether it is Matroska or WebM, which ``MatroskaFileWriter`` completes.
    var isMatroska: Bool { !isMovieFile && audioFile == nil }

    /// All tracks with their names, in the order of the file.
    var tracks: [(name: String, track: Track)] {
        (video.map { [("video", $0)] } ?? []) + audio.enumerated().map { (Self.audioName($0), $1) }
    }

    /// How much later than its packets are presented each track's times are: what primes a decoder, in samples of audio, is
    /// marked in QuickTime and MP4, so that players leave it out.
    func priming(_ samples: Int) -> [MediaTime] {
        (video == nil ? [] : [.zero])
            + audio.map { track in
                guard isMovieFile, let rate = track.caps.first?["rate"]?.intValue, rate > 0 else { return .zero }
                return MediaTime(samples: samples, rate: rate)
            }
    }

    static func audioName(_ index: Int) -> String { index == 0 ? "audio" : "audio-\(index)" }

    /// What is told of each track in an exported Matroska file. A recording has something to tell where several tracks have to be told
    /// apart.
    var matroskaAttributes: [MatroskaTrackAttributes] {
        guard isMatroska, !isDiscarded, purpose == .export || audio.count > 1 else { return [] }
        return tracks.enumerated().map { place, named in
            let isVideo = named.name == "video"
            return MatroskaTrackAttributes(
                named.track.attributes, place: place, isVideo: isVideo,
                space: isVideo ? MatroskaImmersiveView.size(of: view) : 0)
        }
    }

    /// With what the tracks tell about themselves.
    func completing(_ options: MovieFileWriter.Options) -> MovieFileWriter.Options {
        var options = options
        options.view = view
        for (place, track) in tracks.map(\.track).enumerated() { options.tracks[place] = track.attributes }
        return options
    }
}
