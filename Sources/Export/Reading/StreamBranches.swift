import Composition
import Encoding
import GStreamer
import MediaTypes
import Threads
import Workarounds

/// What is built behind a demuxer for each of its streams: a part of the common queue, a decoder where it is to be decoded,
/// and an end.
final class StreamBranches: Sendable {
    private let bin: Bin
    let state = Locked(Found())
    private let disposition: @Sendable (SourceStream) -> SourceStream.StreamDisposition
    let filters: MediaReader.Filters
    let decoding: MediaReader.Decoding
    private let origin: @Sendable () -> MediaTime
    /// Where frames have the times of their places in the file.
    let places: AVIFrameTimestamps?
    /// When the file begins, where its demuxer changes its mind on that.
    let beginning = MatroskaBeginning()

    /// Encoded data that may wait for another stream's, in bytes: files whose streams lie far apart need it.
    private static let waitingBytes = 32 << 20

    /// What all streams go through, in the pipeline beside the demuxer. It has room for what comes before the last stream.
    static func queue(_ timeout: StreamDiscovery.Timeout) -> PipelineDescription.Node {
        PipelineDescription.Node.make(
            "multiqueue", name: "streams-read",
            [
                "max-size-bytes": .int(max(waitingBytes, 2 * timeout.bytes)),
                "max-size-buffers": .int(2 * timeout.packets), "max-size-time": 0,
            ])
    }

    /// Takes no more streams, and needs no more room than for those that lie side by side.
    func close() {
        state.withLock { $0.isClosed = true }
        let queue = bin.element(named: "streams-read")
        try? queue?.set("max-size-buffers", to: .int(8))
        try? queue?.set("max-size-bytes", to: .int(Self.waitingBytes))
    }

    /// - Parameter origin: when the file begins, as its demuxer counts; asked for once samples are pulled.
    init(
        _ bin: Bin, filters: MediaReader.Filters, decoding: MediaReader.Decoding,
        origin: @escaping @Sendable () -> MediaTime,
        disposition: @escaping @Sendable (SourceStream) -> SourceStream.StreamDisposition
    ) {
        (self.bin, self.filters, self.decoding, self.disposition) = (bin, filters, decoding, disposition)
        self.origin = origin
        places = decoding.countsFrames ? AVIFrameTimestamps() : nil
    }

    var found: Found { state.withLock { $0 } }

    /// Builds what a stream needs; on the demuxer's thread.
    ///
    /// - Returns: where its packets pass one by one, with their times.
    func take(_ pad: Pad) -> Pad {
        guard let caps = pad.currentCaps ?? pad.possibleCaps, let kind = SourceStream.kind(of: caps) else {
            state.withLock { $0.unknown.append(pad.currentCaps ?? pad.possibleCaps ?? Caps("none", [:])) }
            discard(pad)
            return pad
        }
        let index = state.withLock { state in
            defer { state.counts[kind, default: 0] += 1 }
            return state.counts[kind, default: 0]
        }
        let stream = SourceStream(
            kind: kind, index: index, caps: caps, identifier: pad.streamIdentifier, padName: pad.name)
        do {
            let isOpus = decoding.container.isTransport && TransportOpus.isNeeded(for: caps)
            let pad = isOpus ? try TransportOpus.parsed(pad, in: bin) : pad
            let isLate = state.withLock { $0.isClosed }
            switch disposition(stream) {
            case .copy where isLate, .decode where isLate:
                state.withLock { $0.late.append(stream) }
                discard(pad)
            case .leaveOut:
                state.withLock { $0.leftOut.append(stream) }
                discard(pad)
            case .decode where kind == .audio && !Self.canDecode(caps):
                state.withLock { $0.undecodable.append(stream) }
                discard(pad)
            case .copy: try copy(stream, try queued(pad))
            case .decode: try decode(stream, try queued(pad))
            }
            return pad
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
            return pad
        }
    }

    private static func canDecode(_ caps: Caps) -> Bool {
        caps.first?.name == "audio/x-raw" || ElementFactory.hasDecoder(for: caps)
    }

    private func discard(_ pad: Pad) {
        do {
            let end = try Element("fakesink")
            try end.set("sync", to: false)
            try end.set("async", to: false)
            try add(end)
            try bin.append([], to: pad, before: end)
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }

    /// The stream behind its part of the common queue.
    private func queued(_ pad: Pad) throws(GStreamerError) -> Pad {
        guard let queue = bin.element(named: "streams-read") else {
            throw GStreamerError(element: "multiqueue", message: "it is gone")
        }
        let input = try queue.requestPad("sink_%u")
        guard let output = queue.pad(input.name.replacing("sink", with: "src")) else {
            throw GStreamerError(element: "multiqueue", message: "it has no output for \(input.name)")
        }
        try pad.link(to: input)
        return output
    }

    private func decode(_ stream: SourceStream, _ pad: Pad) throws(GStreamerError) {
        // The end is made now, so that it is known who has to deliver; it is linked when the decoder has its output.
        let sink = try makeEnd(stream, pad, isCopied: false)
        let name = stream.kind == .video ? "video-decoder" : "audio-decoder-\(stream.index)"
        let decoder = try Element("decodebin", name: name)
        try bin.add(decoder)
        let channels = stream.caps.first?["channels"]?.intValue ?? 0
        decoder.onAutoplug { [weak self] factory in
            // libdca decodes the core of DTS alone: six of DTS-HD's eight channels.
            if factory.name == "dtsdec", ElementFactory("avdec_dca") != nil { return false }
            // flacdec (1.22) takes seven and eight channels for others than they are (RFC 9639, section 9.1.3).
            if factory.name == "flacdec", channels > 6, ElementFactory("avdec_flac") != nil { return false }
            // A second parser (1.22) gives a frame that is not played a length again, and the audio behind it a later time.
            if factory.name == "mpegaudioparse" { return false }
            guard let self, factory.isHardware else { return true }
            if decoding.avoidsHardware { return false }
            state.withLock { _ = $0.hardwareDecoders.insert(factory.name) }
            return true
        }
        let times = stream.kind == .video && stream.index == 0 ? places : nil
        let isCut = decoding.container.isTransport && TransportOpus.isNeeded(for: stream.caps)
        let delay = DecoderDelay.isNeeded(for: stream.caps) || isCut ? DecoderDelay(isCut: isCut) : nil
        if let delay {
            state.withLock { $0.delays[stream.index] = delay }
            decoder.onElementAdded { element in
                guard let name = element.factoryName, let factory = ElementFactory(name), factory.isDecoder else {
                    return
                }
                if let input = element.pad("sink") { delay.read(input) }
            }
        }
        if stream.needsPacketTimes { decoder.onElementAdded(PacketTimestamps.carry) }
        decoder.onPadAdded { [weak self] output in
            guard let self else { return }
            times?.write(output)
            if stream.kind == .video, let retiming = filters.retiming {
                output.retimeBuffers(lasting: MediaTime(samples: 1, of: retiming.rate), retiming.time)
            }
            delay?.write(output)
            do {
                let colours = try colorNodes(stream, output)
                let order =
                    stream.kind == .audio ? ChannelOrder.corrections(stream.caps, output.currentCaps) : []
                let prepared = order + preparation(stream, output.currentCaps)
                try bin.append(prepared + filters.nodes(stream.kind) + colours, to: output, before: sink)
                if stream.kind == .video, filters.deinterlacing != nil,
                    let deinterlacer = bin.element(named: Deinterlacer.name)
                {
                    Deinterlacer.order(stream.index == 0 ? decoding.fieldOrder : nil, output, deinterlacer)
                }
            } catch {
                state.withLock { $0.failure = $0.failure ?? (error as? GStreamerError) }
            }
        }
        decoder.followParentState()
        if let input = decoder.pad("sink") { try pad.link(to: input) }
    }

    private func copy(_ stream: SourceStream, _ pad: Pad) throws(GStreamerError) {
        try bin.append([], to: pad, before: try makeEnd(stream, pad, isCopied: true))
    }

    private func makeEnd(_ stream: SourceStream, _ pad: Pad, isCopied: Bool) throws(GStreamerError) -> Element {
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
        let isRetimed = stream.kind == .video && filters.retiming != nil
        // Frames with times of their own have them already.
        var sink: any SampleSource =
            isRetimed
            ? try AppSink(element)
            : PlacedSamples(
                source: try AppSink(element), beginning: beginning, origin: origin,
                tempo: stream.kind == .audio ? filters.tempo : nil)
        var graded: GradedSamples?
        if let table = filters.lookupTable, stream.kind == .video, !isCopied {
            let samples = GradedSamples(sink, FrameGrader(table, depth: filters.depth)) { [weak self] failure in
                self?.state.withLock { $0.failure = $0.failure ?? failure }
            }
            (sink, graded) = (samples, samples)
        }
        var track = MediaReader.Track(stream: stream, isCopied: isCopied, sink: sink, pad: pad, graded: graded)
        if StreamLight.isNeeded(for: stream.caps) {
            track.light = StreamLight()
            track.light?.read(pad)
        }
        if isCopied, stream.kind == .video { track.size = CopiedSize(of: pad) }
        if !isCopied, stream.kind == .video, let frames = EncodedFrames(stream.caps) {
            track.encoded = frames
            frames.read(pad)
        }
        if !isCopied, FrameMessages.exist(in: stream.caps) {
            track.messages = FrameMessages()
            track.messages?.read(pad)
        }
        if !isCopied, CodedColors.isNeeded(for: stream.caps) {
            track.colors = CodedColors()
            track.colors?.read(pad)
        }
        state.withLock { [track] in $0.tracks.append(track) }
        return element
    }

    /// Puts an end into the pipeline.
    private func add(_ end: Element) throws(GStreamerError) {
        try bin.add(end)
        state.withLock { $0.ends.append(end) }
        end.playWithLockedState()
    }
}
