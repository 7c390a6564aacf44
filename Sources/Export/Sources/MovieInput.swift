import Encoding
import Errors
import GStreamer
import MediaDecoding
import MovieFiles
import SystemPackage

/// A movie file as what an export is made of.
struct MovieInput: ExportInput {
    private let opened: InputFile
    private(set) var properties: InputProperties

    /// Reads what the file tells about itself. Blocks.
    ///
    /// - Throws: ``RushesError`` if it is not media or not whole.
    init(_ file: InputFile) throws(RushesError) { (opened, properties) = (file, try InputProperties(file)) }

    var file: InputFile? { opened }
    var path: FilePath { opened.path }
    var displayName: String { opened.path.displayName }
    var notes: [String] { properties.bytes.notes }
    /// For people, without its folder.
    var fileName: String { opened.path.lastComponent.map { String(decoding: $0) } ?? displayName }

    /// The same with its true length, where its demuxer only guesses that, or counts from elsewhere than the beginning; without one where it
    /// takes too long to read.
    func measured() async -> MovieInput {
        guard properties.decoded == nil, properties.container.beginsAnywhere else { return self }
        var movie = self
        movie.properties.duration = await length()
        return movie
    }

    /// The same under another title, and with other chapters.
    func titled(_ title: String?, chapters: [MovieInfo.Chapter]) -> MovieInput {
        var movie = self
        movie.properties.metadata.title = title ?? properties.metadata.title
        movie.properties.chapters = chapters
        return movie
    }

    /// How long it is, which is measured where its index does not tell; nil where that takes too long.
    func measuredLength() async -> MediaTime? {
        // flacparse (1.22) counts the last block whole, whatever its head says.
        let isTold = properties.isIndexed || properties.decoded != nil || properties.container == .flac
        if isTold, let told = properties.duration { return told }
        return await length() ?? properties.duration
    }

    private func length() async -> MediaTime? {
        // Packets of Windows Media have the times at which they are sent.
        let location = FilePath(opened.location)
        if properties.hasPacketTimes, let told = (try? ASFLength.of(location)) ?? nil { return told }
        guard let file = try? FileDescriptor.open(FilePath(opened.location), .readOnly, options: .closeOnExec) else {
            return nil
        }
        defer { try? file.close() }
        guard let scan = try? await StreamScan(file), scan.isWhole, scan.duration > .zero else { return nil }
        return scan.duration
    }

    func source(for target: ExportTarget, without reasons: RetryReasons) throws -> any FrameSource {
        let decoded = properties.decoded ?? reasons.decoded(of: opened)
        if target.video == .copy, target.takesVideo, target.container.holdsVideo, let track = decoded?.video.first {
            let reason =
                properties.lacksTimes
                ? "this file does not say when its frames are shown"
                : properties.bytes.isCutOff
                    ? "it is cut off, and ffmpeg's libraries, which read the most of what is there, decode it"
                    : "GStreamer does not read all of it, and ffmpeg's libraries decode its video (\(track.codec)) here"
            throw RushesError(
                .invalidSettings, "\(displayName) cannot be copied: \(reason); \(Term.reencoding).")
        }
        // jpeg2000parse (1.22) does not know the boxes that QuickTime has around each frame.
        if target.video == .copy, target.takesVideo, target.container.holdsVideo,
            properties.movie?.video.first?.codec == "jpeg2000"
        {
            throw RushesError(
                .invalidSettings,
                "The video (JPEG 2000) cannot be copied into \(target.container.displayName) in this way; \(Term.reencoding)."
            )
        }
        var choice = StreamChoice(target: target, properties: properties)
        choice.encodesAll = reasons.contains(.copying)
        return try source(choice, without: reasons)
    }

    func audioSource(
        for target: ExportTarget, mostChannels: Int?, without reasons: RetryReasons
    ) throws -> (any FrameSource)? {
        var choice = StreamChoice(target: target, properties: properties)
        (choice.listens, choice.mostChannels) = (true, mostChannels)
        return try source(choice, without: reasons)
    }

    /// The first audio track alone, to be listened to.
    ///
    /// - Parameter rate: frames a second.
    func audioReader(rate: Int) throws(GStreamerError) -> MediaReader {
        var properties = properties
        if let media = samples { properties.decoded = media }
        return try MediaReader(opened, filters: .init(listeningRate: rate), decoding: .init(properties)) { stream in
            stream.kind == .audio && stream.index == 0 ? .decode : .leaveOut
        }
    }

    /// Its audio to the sample, where GStreamer (1.22) cuts that by the times of packets; nil of any other file.
    private var samples: DecodedMedia? {
        properties.hasPacketTimes && properties.decoded == nil ? DecodedMedia(opened, properties) : nil
    }

    /// The same with other streams.
    ///
    /// - Parameter threads: see ``MediaReader/Decoding/threads``.
    func source(
        _ choice: StreamChoice, threads: Int? = nil, without reasons: RetryReasons
    ) throws(GStreamerError) -> MovieSource {
        var properties = properties
        if let media = reasons.decoded(of: opened) { properties.take(media) }
        if choice.decodesAudio, let media = samples { properties.decoded = media }
        var decoding = MediaReader.Decoding(properties, without: reasons)
        decoding.threads = threads
        if properties.bytes.audio != nil, choice.target.copiesAudio, !choice.listens {
            decoding.kept = properties.bytes.copied
        }
        decoding.primesMP3 = properties.bytes.audio != nil && choice.target.container.audioFile == nil
        let reader = try MediaReader(opened, filters: choice.filters, decoding: decoding) { choice.disposition($0) }
        return MovieSource(
            file: opened, properties: properties, filters: choice.filters, reader: reader,
            countsAsIndex: choice.target.edge != nil || !choice.target.takesVideo,
            mayEncode: !choice.encodesAll && !choice.copiesAlways,
            takesVideo: choice.target.takesVideo && choice.target.container.holdsVideo && !choice.listens,
            expectsAudio: choice.target.settings.audio != .codec(.none)
                && choice.target.settings.audioTracks != TrackSelection.none)
    }
}
