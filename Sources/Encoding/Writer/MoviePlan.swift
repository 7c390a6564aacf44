public import GStreamer

/// What a movie is to be made of: everything that a ``MovieWriter`` needs to know before the first picture.
public struct MoviePlan: Sendable, Equatable {
    /// One track: what is handed in, and the elements that make the container's form of it.
    public struct Track: Sendable, Equatable {
        /// What the buffers handed in are.
        public var caps: Caps
        /// Converters, encoder and parser, from the buffers handed in to what the muxer takes.
        public var nodes: [PipelineDescription.Node]

        public init(caps: Caps, nodes: [PipelineDescription.Node]) {
            self.caps = caps
            self.nodes = nodes
        }
    }

    /// The muxer's element, such as "qtmux".
    public var muxer: String
    /// Whether the file is QuickTime or MP4, which ``MovieFiles`` finishes; otherwise the muxer writes it alone.
    public var isMovieFile: Bool
    public var video: Track?
    public var audio: Track?

    /// The colours to put into the encoded pictures; `nil` where the encoder does it, or where they are not known.
    public var streamColour: StreamColour?

    public init(
        muxer: String, isMovieFile: Bool, video: Track?, audio: Track?, streamColour: StreamColour? = nil
    ) {
        self.streamColour = streamColour
        self.muxer = muxer
        self.isMovieFile = isMovieFile
        self.video = video
        self.audio = audio
    }

    /// The longest time that a fragment of the file may last, in milliseconds. What a killed recorder loses is at most this
    /// and the encoder's delay; each fragment costs about 200 bytes.
    static let fragmentDuration = 500
    /// How much encoded sound or picture may wait for the other track or the disk, in nanoseconds.
    static let queueTime = 5_000_000_000

    /// The pipeline from Swift to Swift.
    var description: PipelineDescription {
        let end: [PipelineDescription.Node] =
            isMovieFile
            ? [
                .make(
                    muxer, name: "mux",
                    // The smallest interleave: a chunk is written when it is there, so that a kill loses little.
                    ["fragment-duration": .int(Self.fragmentDuration)]),
                .make("appsink", name: "file", ["sync": false, "async": false]),
            ]
            : [
                // Without "streamable" the muxer comes back at the end to write the duration and the index.
                .make(muxer, name: "mux", ["writing-app": "Rushes"]),
                .make("fdsink", name: "file", ["sync": false, "async": false]),
            ]
        return PipelineDescription(
            [end]
                + [("video", video), ("audio", audio)].compactMap { name, track in
                    track.map { [Self.source(name, $0.caps)] + Self.fit($0.caps) + $0.nodes + Self.connection(name) }
                })
    }

    private static func source(_ name: String, _ caps: Caps) -> PipelineDescription.Node {
        // No limit here: whoever pushes looks at the level first and decides what to give up. Sound is never given up.
        .make(
            "appsrc", name: name,
            [
                "caps": .caps(caps), "format": "time", "max-bytes": 0, "max-buffers": 0, "max-time": 0,
            ])
    }

    /// Keeps pictures as the first one is: a track has one size, and a camera that renegotiates must not end the take.
    /// While nothing changes, both elements hand the pictures on untouched.
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

    private static func connection(_ name: String) -> [PipelineDescription.Node] {
        [
            .make(
                "queue", name: "\(name)-encoded",
                ["max-size-time": .int(queueTime), "max-size-buffers": 0, "max-size-bytes": 0]),
            .pad(of: "mux", template: "\(name)_%u"),
        ]
    }
}
