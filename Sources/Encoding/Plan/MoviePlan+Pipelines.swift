import GStreamer
import MediaTypes
import Workarounds

/// The pipelines of a plan: an encoder's for each track, and the file's.
extension MoviePlan {
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

    private static func template(_ name: String) -> String { name == "video" ? "video_%u" : "audio_%u" }

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
        guard let place = tracks.firstIndex(where: { $0.name == name }), matroskaAttributes.indices.contains(place),
            let tags = matroskaAttributes[place].tags
        else { return [] }
        return [.make("taginject", ["tags": .text(tags)])]
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
                    "max-buffers": .int(isVideo ? waitingFrames : 0),
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
