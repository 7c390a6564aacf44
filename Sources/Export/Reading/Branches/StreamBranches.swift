import GStreamer
import Threads
import Workarounds

/// What is built behind a demuxer for each of its streams: a part of the common queue, a decoder where it is to be decoded,
/// and an end.
final class StreamBranches: Sendable {
    let bin: Bin
    let state = Locked(Found())
    private let disposition: @Sendable (SourceStream) -> SourceStream.StreamDisposition
    let filters: MediaReader.Filters
    let decoding: MediaReader.Decoding
    let origin: @Sendable () -> MediaTime
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
    /// - Parameter caps: of a pad that cannot be asked yet.
    /// - Returns: where its packets pass one by one, with their times.
    func take(_ pad: Pad, _ caps: Caps? = nil) -> Pad {
        let told = caps ?? pad.currentCaps ?? pad.possibleCaps ?? Caps("none", [:])
        let caps = TrueHDOfMovies.caps(told) ?? told
        guard let kind = SourceStream.kind(of: caps) else {
            state.withLock { $0.unknown.append(caps) }
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
            var pad = isOpus ? try TransportOpus.parsed(pad, in: bin) : pad
            if caps != told { pad = try TrueHDOfMovies.renamed(pad, caps, in: bin) }
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
        // avdec_tta (1.22) needs the head of a TTA file, which Matroska leaves out.
        if caps.first?.name == "audio/x-tta", caps.first?["codec_data"] == nil { return false }
        return caps.first?.name == "audio/x-raw" || ElementFactory.hasDecoder(for: caps)
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

    private func copy(_ stream: SourceStream, _ pad: Pad) throws(GStreamerError) {
        try bin.append(indexNodes(stream), to: pad, before: try makeEnd(stream, pad, isCopied: true))
    }

    /// qtdemux (1.22) calls the pixels of MPEG-2 and DV square, whatever the index says, and hands nothing on of their colors.
    private func indexNodes(_ stream: SourceStream) -> [PipelineDescription.Node] {
        guard stream.kind == .video, stream.index == 0, let format = stream.caps.first else { return [] }
        let shape = decoding.pixelAspect ?? DecodedFrames.shapeOfMPEG1(stream.caps)
        var fields = DecodedFrames.shape(stream.caps, told: shape) ?? [:]
        if format["colorimetry"] == nil, let text = decoding.color?.capsText { fields["colorimetry"] = .string(text) }
        return fields.isEmpty ? [] : [.make("capssetter", ["caps": .caps(Caps(format.name, fields))])]
    }

    /// Puts an end into the pipeline.
    func add(_ end: Element) throws(GStreamerError) {
        try bin.add(end)
        end.playWithLockedState()
    }
}
