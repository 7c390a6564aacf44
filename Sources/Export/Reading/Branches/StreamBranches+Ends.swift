import Composition
import GStreamer
import Threads
import Workarounds

/// Where a stream comes out to Swift.
extension StreamBranches {
    /// The end of a stream, as a track that is found from now on.
    func makeEnd(_ stream: SourceStream, _ pad: Pad, isCopied: Bool) throws(GStreamerError) -> Element {
        let element = try Element("appsink")
        let waiting = stream.kind == .video ? 2 : 8
        for (name, value): (String, PropertyValue) in [
            ("sync", false), ("enable-last-sample", false),
            // After a seek it would wait to be set going again, which nobody does: it runs by itself.
            ("async", false),
            ("max-buffers", .int(waiting)),
        ] {
            try element.set(name, to: value)
        }
        try add(element)
        if stream.kind == .video, !isCopied { element.pad("sink")?.acceptPaddedRows() }
        let (samples, graded) = try self.samples(of: stream, element, isCopied: isCopied)
        var track = MediaReader.Track(stream: stream, isCopied: isCopied, sink: samples, pad: pad, graded: graded)
        if stream.kind == .audio, let delay = filters.audioDelay {
            (track.sink, track.delay) = (DelayedSamples(source: samples, delay: delay), delay)
        }
        if let media = decoding.decoded {
            track.told = media.words(of: stream.kind, stream.index)
        }
        track.readPackets()
        state.withLock { [track] in $0.tracks.append(track) }
        return element
    }

    /// What is pulled of an end: at the file's times, and with the colors of a look-up table.
    private func samples(
        of stream: SourceStream, _ element: Element, isCopied: Bool
    ) throws(GStreamerError) -> (any SampleSource, GradedSamples?) {
        // Frames with times of their own have them already.
        let isRetimed = stream.kind == .video && filters.retiming != nil
        let source = try AppSink(element)
        let sink: any SampleSource =
            isRetimed
            ? source
            : PlacedSamples(
                source: source, beginning: beginning, origin: origin,
                tempo: stream.kind == .audio ? filters.tempo : nil)
        if isCopied, decoding.primesMP3, stream.kind == .audio { return (PrimedMP3Samples(sink), nil) }
        guard let table = filters.lookupTable, stream.kind == .video, !isCopied else { return (sink, nil) }
        let graded = GradedSamples(sink, FrameGrader(table, depth: filters.depth)) { [weak self] failure in
            self?.state.withLock { $0.failure = $0.failure ?? failure }
        }
        return (graded, graded)
    }
}

extension MediaReader.Track {
    /// Has what is read of its packets that caps do not tell.
    fileprivate mutating func readPackets() {
        if StreamLight.isNeeded(for: stream.caps) {
            light = StreamLight()
            light?.read(pad)
        }
        if isCopied, stream.kind == .video { size = CopiedSize(of: pad) }
        if !isCopied, stream.kind == .video, let frames = EncodedFrames(stream.caps) {
            encoded = frames
            frames.read(pad)
        }
        if !isCopied, FrameMessages.exist(in: stream.caps) {
            messages = FrameMessages()
            messages?.read(pad)
        }
        if !isCopied, CodedColors.isNeeded(for: stream.caps) {
            colors = CodedColors()
            colors?.read(pad)
        }
    }
}
