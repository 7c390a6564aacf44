import GStreamer
import MediaDecoding
import MovieFiles
import Threads
import Workarounds

/// A pipeline that reads a file: one demuxer, a decoder for each stream that is to be decoded, and an end in Swift for each
/// stream. What is not fetched there waits, so that reading goes as fast as writing.
final class MediaReader: Sendable {
    let pipeline: Pipeline
    /// Whether it waits for streams that begin late as long as it can.
    let usesLongTimeout: Bool
    let branches: StreamBranches
    let discovery: StreamDiscovery
    /// What its demuxer calls the time at which the file begins; known once it is open.
    private let origin: @Sendable () -> MediaTime
    private let sought = Locked(false)
    /// Where not a file is read, what is handed to the pipeline from here.
    private let feeds: [MovieFeed]

    /// The element that is named where a file says nothing for too long.
    static let silence = "parsebin"

    /// - Parameter container: what the file is, where that is known.
    static func source(
        _ location: String, _ container: InputContainer = .other
    ) -> [PipelineDescription.Node] {
        let file = PipelineDescription.Node.make("filesrc", ["location": .text(location)])
        if let decoder = container.decoder { return [file, .make(decoder, name: "streams")] }
        guard let caps = container.caps.flatMap({ try? Caps($0) }) else {
            return [file, .make("parsebin", name: "streams")]
        }
        return [file, .make("parsebin", name: "streams", ["sink-caps": .caps(caps)])]
    }

    /// - Throws: ``GStreamerError`` if an element is missing.
    convenience init(
        _ file: InputFile, filters: Filters, decoding: Decoding = Decoding(),
        disposition: @escaping @Sendable (SourceStream) -> SourceStream.StreamDisposition
    ) throws(GStreamerError) {
        if let media = decoding.decoded {
            try self.init([], media.contents, filters: filters, decoding: decoding, disposition: disposition)
            return
        }
        var feed =
            decoding.gif.map { MovieFeed.Content($0, of: file) }
            ?? decoding.rewrapped.map { MovieFeed.Content($0, of: file.location) }
        if let movie = decoding.reindexed, feed == nil { feed = try MovieFeed.Content(movie, of: file) }
        if let kept = decoding.kept, feed == nil { feed = try MovieFeed.Content(kept, of: file, decoding.container) }
        try self.init(
            feed == nil ? Self.source(file.location, decoding.container) : [], [feed].compactMap(\.self),
            filters: filters,
            decoding: decoding, disposition: disposition)
        guard decoding.container.decoder == nil else { return }
        pipeline.bin.element(named: "streams")?.onElementAdded {
            TransportEdit.apply(to: $0, reading: file.location, decoding.transport)
        }
    }

    /// Reads a movie that is made as it is read.
    ///
    /// - Throws: ``GStreamerError`` if an element is missing.
    convenience init(
        _ movie: SparseMovie, filters: Filters, decoding: Decoding,
        disposition: @escaping @Sendable (SourceStream) -> SourceStream.StreamDisposition
    ) throws(GStreamerError) {
        try self.init([], [MovieFeed.Content(movie)], filters: filters, decoding: decoding, disposition: disposition)
    }

    private init(
        _ source: [PipelineDescription.Node], _ contents: [MovieFeed.Content], filters: Filters, decoding: Decoding,
        disposition: @escaping @Sendable (SourceStream) -> SourceStream.StreamDisposition
    ) throws(GStreamerError) {
        let queue = StreamBranches.queue(decoding.timeout)
        let chains = contents.isEmpty ? [source] : contents.map(\.nodes)
        pipeline = try PipelineDescription(chains + [[queue]]).build(name: "input")
        feeds = try contents.map { [bin = pipeline.bin] (content) throws(GStreamerError) in try MovieFeed(content, bin)
        }
        discovery = StreamDiscovery(decoding.timeout)
        origin = { [discovery] in decoding.container.beginsAnywhere ? discovery.firstPacket ?? .zero : .zero }
        usesLongTimeout = decoding.timeout == .long
        branches = StreamBranches(
            pipeline.bin, filters: filters, decoding: decoding, origin: origin, disposition: disposition)
        let streams = pipeline.bin.element(named: "streams")
        let parser = decoding.container.decoder == nil ? streams : nil
        parser?.onElementAdded { [discovery, places = branches.places, beginning = branches.beginning] element in
            WindowsMediaLengths.remove(from: element)
            discovery.watch(element)
            beginning.watch(element)
            MovieHeaderEdit.apply(to: element)
            EarlyPackets.keep(from: element)
            StartCodeZeros.moveOn(from: element)
            MPEGVideoTimes.complete(from: element)
            LATMFrames.complete(from: element)
            LATMFrames.correctTimes(from: element)
            WaveAAC.describe(from: element)
            GaplessMP3.read(element)
            if let times = decoding.frameTimes, element.factoryName == "matroskademux" {
                element.onPadAdded { pad in if pad.name == "video_0" { ProResFrames.restore(times, on: pad) } }
            }
            // The container's own chunks: the parser behind them makes others of some.
            guard let places, ["avidemux", "matroskademux"].contains(element.factoryName) else { return }
            element.onPadAdded { pad in if pad.name == "video_0" { places.read(pad) } }
        }
        let take = { @Sendable [weak branches, discovery] (pad: Pad, caps: Caps?) in
            guard let branches else { return }
            // Counted when it has been built: who waits for all then finds it.
            discovery.watch(branches.take(pad, caps), caps)
        }
        streams?.onPadAdded { take($0, nil) }
        // What a decoder gives is there from the beginning.
        if decoding.container.decoder != nil, let pad = streams?.pad("src") { take(pad, nil) }
        for content in contents where content.isDecoded {
            if let pad = pipeline.bin.element(named: content.name)?.pad("src") { take(pad, content.caps) }
        }
    }

    /// A time that its demuxer tells, counted from the file's beginning; known once it is open.
    func placed(_ time: MediaTime) -> MediaTime { time - origin() }

    /// What the file's own times are later than those of its samples: Matroska's may count from anywhere.
    var beginning: MediaTime { branches.beginning.time ?? .zero }

    /// By how much a decoder's first audio timestamp precedes the true one (GStreamer 1.22, AAC); zero for other tracks.
    func delay(of track: Track) -> MediaTime {
        guard track.stream.kind == .audio, !track.isCopied else { return .zero }
        return found.delays[track.stream.index]?.late ?? .zero
    }

    /// The first thing that went wrong.
    var failure: GStreamerError? { feeds.lazy.compactMap(\.failure).first ?? pipeline.bus.failure ?? found.failure }

    /// What libavcodec has left out of its streams as damaged, so far.
    var damage: [DecodedMedia.Damage] { feeds.map(\.damage) }

    /// Starts reading and waits until all streams are known.
    ///
    /// - Throws: ``GStreamerError``: what the demuxer said, or that the time is up.
    func open(within limit: Duration = .seconds(20)) async throws {
        let messages = pipeline.bus.messages()
        let failed = Task { [discovery] in
            for await message in messages {
                if case .error = message.content { discovery.hasAll.fire() }
            }
        }
        defer { failed.cancel() }
        // Decoders work as well in this state, and the ends run by themselves.
        await pipeline.begin(.paused, within: limit)
        for feed in feeds { feed.start() }
        guard await discovery.hasAll.wait(within: limit) else {
            throw GStreamerError(
                element: Self.silence, message: "its streams are not known after \(limit.secondsText) seconds")
        }
        if let failure, tracks.isEmpty { throw failure }
        branches.close()
    }

    /// The kind and the media type of the first track, such as "video of video/x-h264", for messages.
    var decodedFormat: String {
        tracks.first.map { "\($0.stream.kind) of \($0.stream.caps.first?.name ?? "unknown")" } ?? "none"
    }

    /// Goes to a time of the movie, or somewhat before it. False where that cannot be done.
    func seek(to time: MediaTime, _ place: SeekPlace = .exact) async -> Bool {
        let element = pipeline.bin.element
        sought.withLock { $0 = true }
        return await onOwnThread("rushes-seek", orAfter: .seconds(20), otherwise: false) {
            element.seek(to: time, place)
        }
    }

    /// Whether it was sent to another place than the file's beginning.
    var isSought: Bool { sought.withLock { $0 } }

    /// Wakes who waits in an end, and stops reading.
    func stop() async { await pipeline.stop(within: .seconds(2)) }
}
