import Encoding
import GStreamer
import MediaTypes
import MovieFiles
import Threads
import Workarounds

/// A decoder behind a demuxer's stream, and what stands between it and its end.
extension StreamBranches {
    func decode(_ stream: SourceStream, _ pad: Pad) throws(GStreamerError) {
        // The end is made now, so that it is known who has to deliver; it is linked when the decoder has its output.
        let sink = try makeEnd(stream, pad, isCopied: false)
        let name = stream.kind == .video ? "video-decoder" : "audio-decoder-\(stream.index)"
        let decoder = try Element("decodebin", name: name)
        try bin.add(decoder)
        decoder.onAutoplug { [weak self] in self?.allows($0, stream) ?? true }
        if stream.kind == .video, stream.index == 0, let edges = decoding.edges {
            if let lead = edges.lead { EditedFrame.beginWithEdit(on: pad, lead: lead) }
            if let last = edges.last { decoder.onElementAdded { LastFrame.keepsLength(of: last, into: $0) } }
        }
        let delay = delay(of: stream, decoder)
        if stream.needsPacketTimes { decoder.onElementAdded(PacketTimestamps.carry) }
        if stream.kind == .video { decoder.onElementAdded(EmptyAccessUnits.drop) }
        if stream.kind == .video, let threads = decoding.threads {
            // libav's alone have it.
            decoder.onElementAdded { try? $0.set("max-threads", to: .int(threads)) }
        }
        decoder.onPadAdded { [weak self] output in self?.link(output, of: stream, to: sink, delay) }
        decoder.followParentState()
        if decoding.lacksTransparency, stream.kind == .video, stream.index == 0, let name = stream.caps.first?.name {
            // The decoder of transparent frames (1.22) fails without.
            let opaque = PropertyValue.caps(Caps(name, ["codec-alpha": .bool(false)]))
            try bin.append([.make("capssetter", ["caps": opaque])], to: pad, before: decoder)
        } else if let described = SpeexPackets.described(stream.caps) {
            try bin.append([.make("capssetter", ["caps": .caps(described)])], to: pad, before: decoder)
        } else if let input = decoder.pad("sink") {
            try pad.link(to: input)
        }
    }

    /// Whether a decoder or a parser may be put behind a stream.
    private func allows(_ factory: ElementFactory, _ stream: SourceStream) -> Bool {
        // libdca decodes the core of DTS alone: six of DTS-HD's eight channels.
        if factory.name == "dtsdec", ElementFactory("avdec_dca") != nil { return false }
        // flacdec (1.22) takes seven and eight channels for others than they are (RFC 9639, section 9.1.3).
        let channels = stream.caps.first?["channels"]?.intValue ?? 0
        if factory.name == "flacdec", channels > 6, ElementFactory("avdec_flac") != nil { return false }
        // A second parser (1.22) gives a frame that is not played a length again, and the audio behind it a later time.
        if factory.name == "mpegaudioparse" { return false }
        guard factory.isHardware else { return true }
        if decoding.avoidsHardware { return false }
        state.withLock { _ = $0.hardwareDecoders.insert(factory.name) }
        return true
    }

    /// What puts audio right that its decoder gives too early a time; nil where it does not.
    private func delay(of stream: SourceStream, _ decoder: Element) -> DecoderDelay? {
        let isCut = decoding.container.isTransport && TransportOpus.isNeeded(for: stream.caps)
        guard DecoderDelay.isNeeded(for: stream.caps) || isCut else { return nil }
        let delay = DecoderDelay(isCut: isCut)
        state.withLock { $0.delays[stream.index] = delay }
        decoder.onElementAdded { element in
            guard let name = element.factoryName, let factory = ElementFactory(name), factory.isDecoder else { return }
            if let input = element.pad("sink") { delay.read(input) }
        }
        return delay
    }

    /// Puts what stands behind a decoder between its output and the end; on the decoder's thread.
    private func link(_ output: Pad, of stream: SourceStream, to sink: Element, _ delay: DecoderDelay?) {
        if stream.kind == .video, stream.index == 0 { places?.write(output) }
        if stream.kind == .video, let retiming = filters.retiming {
            output.retimeBuffers(lasting: MediaTime(samples: 1, of: retiming.rate), retiming.time)
        }
        if stream.kind == .video, let length = decoding.container.frameLengthOfFields(stream.caps) {
            let count = Locked(0)
            output.retimeBuffers(lasting: length) { _ in
                count.withLock { count in
                    defer { count += 1 }
                    return length * count
                }
            }
        }
        delay?.write(output)
        do {
            let colors = try colorNodes(stream, output)
            let order = stream.kind == .audio ? ChannelOrder.corrections(stream.caps, output.currentCaps) : []
            let prepared = order + preparation(stream, output.currentCaps)
            try bin.append(
                prepared + filters.nodes(stream.kind, correcting: colors.first) + colors.last, to: output, before: sink)
            if stream.kind == .video, filters.deinterlacing != nil,
                let deinterlacer = bin.element(named: Deinterlacer.name)
            {
                Deinterlacer.order(stream.index == 0 ? decoding.fieldOrder : nil, output, deinterlacer)
            }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }
}
