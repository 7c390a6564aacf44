import Encoding
import Errors
import GStreamer
import MediaDecoding
import MovieFiles
import SystemPackage
import Threads
import Workarounds

/// A movie file that is being read.
struct MovieSource: FrameSource {
    let file: InputFile
    let properties: InputProperties
    let filters: MediaReader.Filters
    let reader: MediaReader
    /// Whether times that are asked for count as those of the index do, from 0.
    var countsAsIndex = false
    /// Whether what is copied may be encoded as well, where it turns out not to be fit for the output.
    var mayEncode = false
    /// Whether video is wanted of it.
    var takesVideo = true
    /// Whether nobody has asked for an output without audio.
    var expectsAudio = true

    var tracks: [MediaReader.Track] { reader.tracks }
    var failure: GStreamerError? { reader.failure }
    var decodedFormat: String { reader.decodedFormat }
    var isIndexed: Bool { properties.isSeekable }
    var timeOrigin: MediaTime? {
        if properties.container.countsFromFirstPacket { return reader.firstPacket }
        // What is left out may begin the movie, which is what times count from, whatever is taken of it.
        let leavesMedia = reader.leftOut.contains { $0.kind != .text }
        return leavesMedia && !countsAsIndex && properties.hasOwnSubtitles ? reader.firstPacket : nil
    }

    func open() async throws { try await reader.open(within: properties.timeout) }
    func stop() async { await reader.stop() }
    func delay(of track: MediaReader.Track) -> MediaTime { reader.delay(of: track) }
    func seek(to time: MediaTime, _ place: SeekPlace) async -> Bool { await reader.seek(to: time, place) }
    func keyFrame(upTo time: MediaTime) async -> MediaTime? {
        guard properties.container == .matroska else { return nil }
        let path = FilePath(file.location)
        let frames = try? await onOwnThread("rushes-index") { try MatroskaFrames(path) }
        return frames?.keyFrames.last { $0 <= time + .millisecond }
    }

    /// Waits until each track has given something, which is gone then: a seek while decoders are still put together can leave one without
    /// anything for ever.
    ///
    /// - Returns: false where one gives nothing for long.
    func hasBegun() async -> Bool {
        for track in tracks where track.stream.kind != .text {
            let pulled = await onOwnThread(
                "rushes-first", orAfter: Self.firstTimeout + .seconds(1), otherwise: .nothing
            ) {
                track.sink.pull(within: Self.firstTimeout)
            }
            if case .nothing = pulled { return false }
        }
        return true
    }

    /// How long the first sample of a track may take.
    private static let firstTimeout = Duration.seconds(20)

    /// A movie's audio alone is not what was asked for where the input has frames and nothing comes of them.
    func check(_ opened: [OpenedTrack]) throws {
        if opened.video == nil, opened.isEmpty || !lacksVideo { try checkVideo() }
        if opened.isEmpty, let stream = reader.undecodable.first {
            throw RushesError(.badInput, MissingDecoder.refusal(stream, of: file.path.displayName))
        }
    }

    /// Whether the maps of a transport stream name video of which no packet comes.
    private var lacksVideo: Bool {
        let video = properties.declared.filter { $0.kind == .video }
        return !video.isEmpty && video.allSatisfy(\.isAbsent)
    }

    private func checkVideo() throws {
        let name = file.path.displayName
        func refusal(_ codec: String) -> RushesError {
            RushesError(.badInput, "\(name) cannot be exported: no frames come out of its video (\(codec)) here.")
        }
        if let track = reader.tracks.first(where: { $0.stream.kind == .video }) {
            throw refusal(track.stream.caps.codecName)
        }
        if let caps = reader.silent.first(where: { SourceStream.kind(of: $0) == .video }) {
            throw reader.usesLongTimeout ? refusal(caps.codecName) : RetryReason(part: .usualTimeout)
        }
        let others = StreamLosses.otherPrograms(reader.streamIdentifiers, properties.declared)
        let unread = StreamLosses.unread(reader, properties.declared)
        if let stream = unread.first(where: { stream in
            stream.kind == .video && !others.contains { $0.program == stream.program }
        }) {
            throw refusal(stream.codec)
        }
    }

    func checkTracks() throws {
        if tracks.contains(where: { $0.size?.hasChanged == true }) { throw changed }
        if !reader.late.isEmpty, !reader.usesLongTimeout { throw RetryReason(part: .usualTimeout) }
    }

    /// What is copied changes on the way.
    private var changed: any Error {
        mayEncode
            ? RetryReason(
                part: .copying,
                note:
                    "The output does not take the video or the audio as it is, as where it changes on the way, so all is encoded."
            )
            : InputFailure.change(in: file.path.displayName)
    }

    func explained(_ error: any Error, _ status: ExportStatus) -> any Error {
        let isCopy = mayEncode && tracks.contains(where: \.isCopied)
        if isCopy, !status.isStopped, InputFailure.isRefusal(error) || InputFailure.isChange(error) { return changed }
        return RetryReason(readingFailed: error, reader, status) ?? InputFailure.explain(error, reader, file)
    }

    func lastResort(_ status: ExportStatus) async -> RetryReason? {
        guard status.snapshot.phase == .opening, mayEncode || !tracks.contains(where: \.isCopied) else { return nil }
        return await decoding(status)
    }

    /// To begin again with what libavcodec decodes; nil where that brings no video for what there is.
    func decoding(_ status: ExportStatus) async -> RetryReason? {
        guard properties.decoded == nil, !status.isStopped else { return nil }
        let media = await onOwnThread("rushes-decoder", orAfter: .seconds(20), otherwise: nil) {
            [file, properties] in DecodedMedia(file, properties)
        }
        guard let media, !media.video.isEmpty || !reader.hasVideo else { return nil }
        return RetryReason(part: .demuxer(media))
    }

    /// Where a stream beside others is one that nothing in GStreamer reads or decodes, or that it reads wrongly, libavcodec decodes all of them:
    /// each reader reads the file by itself. Frames that are copied stay as they are, and audio beside them is left out and told; where it is
    /// the video that is missing, copying is refused.
    func completion(_ opened: [OpenedTrack], _ status: ExportStatus) async -> RetryReason? {
        guard !opened.isEmpty, properties.decoded == nil else { return nil }
        let misread = tracks.filter { MisreadStreams.contain($0.stream.caps) }
        // What QuickTime has no name of its own for may be video all the same.
        let mayLackVideo = takesVideo && !reader.hasVideo && !reader.unknown.isEmpty
        let needsVideo = mayLackVideo || misread.contains { $0.stream.kind == .video }
        let lacksAudio = (!reader.undecodable.isEmpty || missesAudio) && !tracks.contains(where: \.isCopied)
        guard needsVideo || lacksAudio || !misread.isEmpty else { return nil }
        let reason = await (needsVideo ? decoding(status) : lastResort(status))
        guard case .demuxer(let media)? = reason?.part else { return nil }
        let bringsMore = media.audio.count > opened.audio.count || mayLackVideo && !media.video.isEmpty
        return bringsMore || !misread.isEmpty ? reason : nil
    }

    /// Whether the demuxer has not named a track of audio that the file lists.
    private var missesAudio: Bool {
        let others = StreamLosses.otherPrograms(reader.streamIdentifiers, properties.declared)
        return StreamLosses.unread(reader, properties.declared).contains { stream in
            stream.kind == .audio && !stream.isReplacement && !others.contains { $0.program == stream.program }
        }
    }

    var printedSource: [PipelineDescription.Node] {
        MediaReader.source(file.path.string, properties.container)
    }

    func printedNodes(_ kind: SourceStream.Kind) throws -> [PipelineDescription.Node] {
        let ends: [PipelineDescription.Node] = [.pad(of: "streams", template: ""), .make("queue")]
        if reader.tracks.first(where: { $0.stream.kind == kind })?.isCopied == true { return ends }
        let isVideo = kind == .video
        let colors: StreamBranches.ColorNodes = isVideo ? reader.colorNodes : ([], [])
        return ends + [.make("decodebin")] + (isVideo ? reader.fieldNodes : [])
            + (try filters.nodes(kind, correcting: colors.first)) + colors.last
    }
}
