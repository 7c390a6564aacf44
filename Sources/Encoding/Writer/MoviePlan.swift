package import GStreamer
package import MovieFiles

/// What a movie is to be made of: everything that a ``MovieWriter`` needs to know before the first frame.
package struct MoviePlan: Sendable, Equatable {
    /// One track: what is handed in, and the elements that make the container's form of it.
    package struct Track: Sendable, Equatable {
        /// What the buffers handed in are.
        package var caps: Caps
        /// Converters, encoder and parser, from the buffers handed in to what the muxer takes.
        package var nodes: [PipelineDescription.Node]
        /// What it tells about itself.
        package var facts = TrackFacts()
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
    /// Whether the file is QuickTime or MP4, which ``MovieFiles`` finishes; otherwise the muxer writes it alone.
    package var isMovieFile: Bool
    /// What kind of file ``MovieFiles`` writes without a muxer, of one audio track; `nil` where there is a muxer.
    package var audioFile: AudioFileType?
    /// What kind of MP4 the file says it is before all others; `nil` is the muxer's.
    package var majorBrand: String?
    /// `nil`: no frame.
    package var video: Track?
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
    package var streamColour: StreamColour?

    /// The properties of these names say what each is.
    package init(
        muxer: String, isMovieFile: Bool, video: Track?, audio: [Track] = [],
        streamColour: StreamColour? = nil, purpose: EncodingPurpose = .live, audioFile: AudioFileType? = nil,
        majorBrand: String? = nil
    ) {
        (self.audioFile, self.majorBrand) = (audioFile, majorBrand)
        self.purpose = purpose
        self.streamColour = streamColour
        self.muxer = muxer
        self.isMovieFile = isMovieFile
        self.video = video
        self.audio = audio
    }

    /// The longest time that a fragment of the file may last, in milliseconds. What a killed recorder loses is at most this
    /// and the encoder's delay; each fragment costs about 200 bytes. An export that is killed begins anew.
    var fragmentDuration: Int { purpose == .live ? 500 : 4000 }
    /// How much encoded audio or frame may wait for the other track or the disk, in nanoseconds: more than the three seconds
    /// that raw frames may wait for their encoder, with what that holds itself.
    static let queueTime = 8_000_000_000
    /// The same for an export, in bytes: an encoder's look-ahead can be a minute where frames are rare, and audio that
    /// could not wait so long would stop the reading that the encoder needs.
    static let queueSize = 64 << 20
    /// Raw frames that wait for the encoder in an export: enough that reader and encoder never wait for each other by
    /// turns, and no more, as each is megabytes.
    static let waitingFrames = 4
    /// Audio that waits for its encoder in an export, in nanoseconds.
    static let waitingAudio = 500_000_000

    /// All of it as one pipeline, as one would write it by hand: where packets pass through Swift, a queue stands.
    var description: PipelineDescription {
        if audioFile != nil, let (name, track) = tracks.first {
            return PipelineDescription([
                encoding(track, name) + [.make("queue", name: "\(name)-encoded", room("max-size"))]
                    + [.make(muxer), file]
            ])
        }
        return PipelineDescription(
            [muxerAndFile]
                + tracks.map { name, track in
                    encoding(track, name) + [.make("queue", name: "\(name)-encoded", room("max-size"))]
                        + tag(name)
                        + [.pad(of: "mux", template: Self.template(name))]
                })
    }

    /// The pipeline of a ``TrackEncoder``, from Swift to Swift: "NAME" is its first element, "NAME-encoded" its last.
    func encoder(of track: Track, _ name: String) -> PipelineDescription {
        var properties: [PipelineDescription.Property] = [.init("sync", false), .init("async", false)]
        // Parsers give the muxer's form of a stream only to who asks for it.
        if !isDiscarded, let caps = ElementFactory(muxer)?.templateCaps(named: Self.template(name)) {
            properties.append(.init("caps", .caps(caps)))
        }
        return PipelineDescription([
            encoding(track, name) + [.element("appsink", name: "\(name)-encoded", properties: properties)]
        ])
    }

    /// The pipeline of a ``MovieMuxer``: "NAME-packets" are its first elements, "file" is its last.
    var muxing: PipelineDescription {
        if audioFile != nil { return PipelineDescription([[packets(Self.audioName(0)), file]]) }
        return PipelineDescription(
            [muxerAndFile]
                + tracks.map { name, track in
                    [packets(name)] + tag(name) + [.pad(of: "mux", template: Self.template(name))]
                })
    }

    private func packets(_ name: String) -> PipelineDescription.Node {
        let properties: [PipelineDescription.Property] =
            // Packets bring their own segment with them: encoders that reorder frames shift it.
            [.init("format", "time"), .init("handle-segment-change", true), .init("block", true)]
            + room("max").map { .init($0.key, $0.value) }
        return .element("appsrc", name: "\(name)-packets", properties: properties)
    }

    private var file: PipelineDescription.Node { .make("appsink", name: "file", ["sync": false, "async": false]) }

    private var muxerAndFile: [PipelineDescription.Node] {
        isMovieFile
            ? [
                .make(
                    muxer, name: "mux",
                    // The smallest interleave: a chunk is written when it is there, so that a kill loses little.
                    ["fragment-duration": .int(fragmentDuration)]),
                file,
            ]
            : [
                // Without "streamable" the muxer comes back at the end to write the duration and the index.
                .make(muxer, name: "mux", ["writing-app": "Rushes"]),
                .make(isOpenFile ? "fdsink" : "appsink", name: "file", ["sync": false, "async": false]),
            ]
    }

    /// Whether its muxer writes it alone: Matroska and WebM.
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

    private static func template(_ name: String) -> String { name == "video" ? "video_%u" : "audio_%u" }

    static func audioName(_ index: Int) -> String { index == 0 ? "audio" : "audio-\(index)" }

    private func encoding(_ track: Track, _ name: String) -> [PipelineDescription.Node] {
        [source(name, track.caps, isVideo: name == "video")] + Self.fit(track.caps) + track.nodes
    }

    /// What may wait for the other track or the disk, of a queue ("max-size") or an appsrc ("max").
    private func room(_ prefix: String) -> KeyValuePairs<String, PropertyValue> {
        let (time, bytes) = purpose == .live ? (Self.queueTime, 0) : (0, Self.queueSize)
        return ["\(prefix)-time": .int(time), "\(prefix)-buffers": 0, "\(prefix)-bytes": .int(bytes)]
    }

    /// Tells the muxer what a track says about itself. QuickTime and MP4 get it from ``MovieFiles``, with all that this does not say.
    private func tag(_ name: String) -> [PipelineDescription.Node] {
        guard let place = tracks.firstIndex(where: { $0.name == name }), matroskaFacts.indices.contains(place),
            let tags = matroskaFacts[place].tags
        else { return [] }
        return [.make("taginject", ["tags": .text(tags)])]
    }

    /// What is told of each track in an exported Matroska file. A recording's tracks have nothing to tell.
    var matroskaFacts: [MatroskaTrackFacts] {
        guard isMatroska, !isDiscarded, purpose == .export else { return [] }
        return tracks.enumerated().map { place, named in
            MatroskaTrackFacts(named.track.facts, place: place, isVideo: named.name == "video")
        }
    }

    /// With what the tracks tell about themselves.
    func completing(_ options: MovieFileWriter.Options) -> MovieFileWriter.Options {
        var options = options
        for (place, track) in tracks.map(\.track).enumerated() { options.tracks[place] = track.facts }
        return options
    }

    private func source(_ name: String, _ caps: Caps, isVideo: Bool) -> PipelineDescription.Node {
        switch purpose {
        case .live:
            // No limit here: whoever pushes looks at the level first and decides what to give up. Audio is never given up.
            .make(
                "appsrc", name: name,
                ["caps": .caps(caps), "format": "time", "max-bytes": 0, "max-buffers": 0, "max-time": 0])
        case .export:
            .make(
                "appsrc", name: name,
                [
                    "caps": .caps(caps), "format": "time", "block": true, "max-bytes": 0,
                    "max-buffers": .int(isVideo ? Self.waitingFrames : 0),
                    "max-time": .int(isVideo ? 0 : Self.waitingAudio),
                ])
        }
    }

    /// Keeps frames as the first one is: a track has one size, and a camera that renegotiates must not end the take.
    /// While nothing changes, both elements hand the frames on untouched.
    private static func fit(_ caps: Caps) -> [PipelineDescription.Node] {
        guard let first = caps.first, first.name == "video/x-raw", !caps.description.contains("memory:") else {
            return []
        }
        // A pixel's shape that changes would be written anew by the encoder, which muxers refuse.
        var kept: [String: FieldValue] = ["pixel-aspect-ratio": .fraction(Fraction(1))]
        for field in ["format", "width", "height", "pixel-aspect-ratio", "colorimetry"] {
            if let value = first[field] { kept[field] = value }
        }
        return [.make("videoconvertscale", ["dither": "none"]), .caps(Caps("video/x-raw", kept))]
    }
}
