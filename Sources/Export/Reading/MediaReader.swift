import GStreamer
import Threads

/// A pipeline that reads a file: one demuxer, a decoder for each stream that is to be decoded, and an end in Swift for each
/// stream. What is not fetched there waits, so that reading goes as fast as writing.
final class MediaReader: Sendable {
    /// An end of the pipeline.
    struct Track: Sendable {
        var stream: SourceStream
        var isCopied: Bool
        var sink: AppSink
    }

    fileprivate struct State {
        var counts: [SourceStream.Kind: Int] = [:]
        var tracks: [Track] = []
        var ends: [Element] = []
        var leftOut: [SourceStream] = []
        var unknown: [Caps] = []
        var undecodable: [SourceStream] = []
        var hardwareDecoders: Set<String> = []
        var isSought = false
        /// Of sound, by the stream's index.
        var delays: [Int: DecoderDelay] = [:]
        /// The first thing that could not be built.
        var failure: GStreamerError?
    }

    let pipeline: Pipeline
    fileprivate let state = Locked(State())
    private let hasAllStreams = AsyncSignal()
    private let treatment: @Sendable (SourceStream) -> SourceStream.Treatment
    private let filters: Filters
    private let decoding: Decoding

    /// How streams are decoded.
    struct Decoding: Sendable, Hashable {
        /// Whether hardware decoders are passed over: by this reader only, whatever others find in the same registry.
        var avoidsHardware = false
        /// Whether pictures have the times of their places in the file; see ``PlaceTimes``.
        var countsPictures = false
    }

    /// The element that is named where a file says nothing for too long.
    static let silence = "parsebin"

    /// Encoded data that may wait for another stream's, in bytes: files whose streams lie far apart need it.
    private static let waitingBytes = 32 << 20

    static func source(_ location: String) -> [PipelineDescription.Node] {
        [.make("filesrc", ["location": .text(location)]), .make("parsebin", name: "streams")]
    }

    /// - Throws: ``GStreamerError`` if an element is missing.
    init(
        _ file: InputFile, filters: Filters, decoding: Decoding = Decoding(),
        treatment: @escaping @Sendable (SourceStream) -> SourceStream.Treatment
    ) throws(GStreamerError) {
        self.treatment = treatment
        self.filters = filters
        self.decoding = decoding
        let queue = PipelineDescription.Node.make(
            "multiqueue", name: "streams-read",
            ["max-size-bytes": .int(Self.waitingBytes), "max-size-buffers": 8, "max-size-time": 0])
        pipeline = try PipelineDescription([Self.source(file.location), [queue]]).build(name: "input")
        pipeline.bin.element(named: "streams")?.onPadAdded { [weak self] pad in
            guard let self else { return }
            take(pad)
            // parsebin (1.22) gives no sign that it has named all streams; but it holds all of them until it has.
            let hasAllStreams = hasAllStreams
            _ = pad.addBufferProbe { _ in
                hasAllStreams.fire()
                return .remove
            }
            _ = pad.addEndOfStreamProbe {
                hasAllStreams.fire()
                return .remove
            }
        }
    }

    /// The ends of all streams that are not left out, in the order of the file.
    var tracks: [Track] { state.withLock { $0.tracks } }
    var hasPictures: Bool { tracks.contains { $0.stream.kind == .video } }
    var leftOut: [SourceStream] { state.withLock { $0.leftOut } }
    /// Streams that are neither picture, sound nor text.
    var unknown: [Caps] { state.withLock { $0.unknown } }

    /// Sound that no installed decoder takes.
    var undecodable: [SourceStream] { state.withLock { $0.undecodable } }
    /// The hardware decoders that were tried, by their elements' names.
    var hardwareDecoders: [String] { state.withLock { $0.hardwareDecoders.sorted() } }

    /// By how much a track's decoder stamps its sound too early, in nanoseconds.
    func delay(of track: Track) -> Nanoseconds {
        guard track.stream.kind == .audio, !track.isCopied else { return 0 }
        return state.withLock { $0.delays[track.stream.index] }?.late ?? 0
    }

    /// The first thing that went wrong.
    var failure: GStreamerError? { pipeline.bus.failure ?? state.withLock { $0.failure } }

    /// Starts reading and waits until all streams are known.
    ///
    /// - Throws: ``GStreamerError``: what the demuxer said, or that the time is up.
    func open(within seconds: Double = 20) async throws {
        let messages = pipeline.bus.messages()
        let failed = Task { [hasAllStreams] in
            for await message in messages {
                if case .error = message.content { hasAllStreams.fire() }
            }
        }
        defer { failed.cancel() }
        // Decoders work as well in this state, and the ends run by themselves.
        await pipeline.begin(.paused, within: seconds)
        guard await hasAllStreams.wait(seconds: seconds) else {
            throw GStreamerError(
                element: Self.silence, message: "its streams are not known after \(Int(seconds)) seconds")
        }
        if let failure, tracks.isEmpty { throw failure }
    }

    /// The element that decodes the pictures, or what there is of it.
    var decoderName: String {
        tracks.first.map { "\($0.stream.kind) of \($0.stream.caps.first?.name ?? "unknown")" } ?? "none"
    }

    /// Goes to a time of the movie, or somewhat before it. False where that cannot be done.
    func seek(to time: Nanoseconds, _ place: SeekPlace = .exact) async -> Bool {
        let element = pipeline.bin.element
        state.withLock { $0.isSought = true }
        return await onOwnThread("rushes-seek", orAfter: 20, otherwise: false) { element.seek(to: time, place) }
    }

    /// Whether it was sent to another place than the file's beginning.
    var isSought: Bool { state.withLock { $0.isSought } }

    /// Wakes who waits in an end, and stops reading.
    func stop() async {
        let ends = state.withLock { $0.ends }
        await onOwnThread("rushes-stop", orAfter: 2, otherwise: ()) { for end in ends { end.halt() } }
        await pipeline.stop(within: 2)
    }

    /// On the demuxer's thread.
    private func take(_ pad: Pad) {
        guard let caps = pad.currentCaps ?? pad.possibleCaps, let kind = SourceStream.kind(of: caps) else {
            state.withLock { $0.unknown.append(pad.currentCaps ?? pad.possibleCaps ?? Caps("none", [:])) }
            return discard(pad)
        }
        let index = state.withLock { state in
            defer { state.counts[kind, default: 0] += 1 }
            return state.counts[kind, default: 0]
        }
        let stream = SourceStream(kind: kind, index: index, caps: caps)
        do {
            switch treatment(stream) {
            case .leaveOut:
                state.withLock { $0.leftOut.append(stream) }
                discard(pad)
            case .decode where kind == .audio && !Self.canDecode(caps):
                state.withLock { $0.undecodable.append(stream) }
                discard(pad)
            case .copy: try copy(stream, kind == .text ? pad : try queued(pad))
            case .decode: try decode(stream, try queued(pad))
            }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
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
            try pipeline.bin.append([], to: pad, before: end)
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }

    /// The stream behind its part of the common queue.
    private func queued(_ pad: Pad) throws(GStreamerError) -> Pad {
        guard let queue = pipeline.bin.element(named: "streams-read") else {
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
        let sink = try makeEnd(stream, isCopied: false)
        let name = stream.kind == .video ? "picture-decoder" : "sound-decoder-\(stream.index)"
        let decoder = try Element("decodebin", name: name)
        try pipeline.bin.add(decoder)
        decoder.onAutoplug { [weak self] factory in
            guard let self, factory.isHardware else { return true }
            if decoding.avoidsHardware { return false }
            state.withLock { _ = $0.hardwareDecoders.insert(factory.name) }
            return true
        }
        let times = stream.kind == .video && decoding.countsPictures ? PlaceTimes() : nil
        times?.read(pad)
        let delay = DecoderDelay.isNeeded(for: stream.caps) ? DecoderDelay() : nil
        if let delay {
            state.withLock { $0.delays[stream.index] = delay }
            decoder.onElementAdded { element in
                guard let name = element.factoryName, let factory = ElementFactory(name), factory.isDecoder else {
                    return
                }
                if let input = element.pad("sink") { delay.read(input) }
            }
        }
        decoder.onPadAdded { [weak self] output in
            guard let self else { return }
            times?.write(output)
            delay?.write(output)
            do {
                try pipeline.bin.append(filters.nodes(stream.kind), to: output, before: sink)
            } catch {
                state.withLock { $0.failure = $0.failure ?? (error as? GStreamerError) }
            }
        }
        decoder.followParentState()
        if let input = decoder.pad("sink") { try pad.link(to: input) }
    }

    private func copy(_ stream: SourceStream, _ pad: Pad) throws(GStreamerError) {
        try pipeline.bin.append([], to: pad, before: try makeEnd(stream, isCopied: true))
    }

    private func makeEnd(_ stream: SourceStream, isCopied: Bool) throws(GStreamerError) -> Element {
        let element = try Element("appsink")
        let waiting = stream.kind == .text ? 0 : stream.kind == .video ? 2 : 8
        for (name, value): (String, PropertyValue) in [
            // Text is rare: waiting for its reader would only hold up the others.
            ("sync", false), ("enable-last-sample", false),
            // After a seek it would wait to be set going again, which nobody does: it runs by itself.
            ("async", false),
            ("max-buffers", .int(waiting)),
        ] {
            try element.set(name, to: value)
        }
        try add(element)
        let sink = try AppSink(element)
        state.withLock { $0.tracks.append(Track(stream: stream, isCopied: isCopied, sink: sink)) }
        return element
    }
}

extension MediaReader {
    /// Puts an end into the pipeline.
    fileprivate func add(_ end: Element) throws(GStreamerError) {
        try pipeline.bin.add(end)
        state.withLock { $0.ends.append(end) }
        end.runByItself()
    }
}
