import Composition
import Encoding
import Errors
import GStreamer
import Imaging
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// A video that is being read for a timelapse.
struct TimelapseSource: FrameSource {
    let file: InputFile
    let properties: InputProperties
    let filters: MediaReader.Filters
    let reader: MediaReader
    /// Reads the audio, faster by the filters' tempo; nil without.
    let audio: MediaReader?
    /// A sentence on what is decoded.
    let summary: String?
    /// How many frames have been chosen; nil where nobody counts before.
    let expectedFrames: Int?
    let look: TimelapseLook
    let light: LightPlan
    let lookupTable: LookupTable?
    /// Whether anything is done to the frames.
    let isLooked: Bool
    let images: TimelapseImages
    let frameCount: Int
    /// When a frame at a time of the movie was taken.
    let clock: @Sendable (MediaTime) -> StampMoment?
    private let looked = Locked<TimelapseFilters?>(nil)
    private let renderer: TextRenderer?

    init(
        file: InputFile, properties: InputProperties, filters: MediaReader.Filters, reader: MediaReader,
        audio: MediaReader?, summary: String?, expectedFrames: Int?, look: TimelapseLook, light: LightPlan,
        lookupTable: LookupTable?, isLooked: Bool, images: TimelapseImages, frameCount: Int,
        clock: @escaping @Sendable (MediaTime) -> StampMoment?
    ) throws(GStreamerError) {
        (self.file, self.properties, self.filters, self.reader) = (file, properties, filters, reader)
        self.audio = audio
        (self.summary, self.expectedFrames, self.look) = (summary, expectedFrames, look)
        (self.light, self.lookupTable, self.isLooked) = (light, lookupTable, isLooked)
        (self.images, self.frameCount, self.clock) = (images, frameCount, clock)
        renderer = look.stamp == nil ? nil : try TextRenderer()
    }

    var tracks: [MediaReader.Track] {
        let audioTracks = (audio?.tracks ?? []).map { track in
            var track = track
            track.sink = FollowingSamples(samples: track.sink) { [reader, filters] in
                let begin = filters.retiming?.begin().map { reader.placed($0) } ?? .zero
                return MediaTime(seconds: begin.seconds / (filters.tempo ?? 1))
            }
            return track
        }
        guard let looked = looked.withLock({ $0 }) else { return reader.tracks + audioTracks }
        return reader.tracks.map { track in
            var track = track
            track.sink = looked
            return track
        } + audioTracks
    }
    var failure: GStreamerError? { reader.failure ?? audio?.failure ?? looked.withLock { $0 }?.failure }
    var absorbedFrames: Int { looked.withLock { $0 }?.absorbed ?? 0 }
    var decodedFormat: String { reader.decodedFormat }
    var isIndexed: Bool { false }
    var timeOrigin: MediaTime? { nil }

    /// How many frames are left out without another one in their place.
    private var dropped: Int { audio == nil ? light.flashes.count : 0 }

    func open() async throws {
        try await reader.open(within: properties.timeout)
        try await audio?.open(within: properties.timeout)
        guard isLooked, let sink = reader.tracks.first?.sink else { return }
        await renderer?.open()
        let frames = TimelapseFilters(
            sink, look, images: images, frameCount: (expectedFrames ?? frameCount) - dropped,
            light: filters.retiming.map { LightFilter(light, rate: $0.rate, keepsTimes: audio != nil) },
            lookupTable: lookupTable,
            stamp: look.stamp.flatMap { stamp in renderer.map { StampFilter(stamp, $0, clock: clock) } })
        looked.withLock { $0 = frames }
    }
    func stop() async {
        await reader.stop()
        await audio?.stop()
        await renderer?.stop()
    }
    func delay(of track: MediaReader.Track) -> MediaTime {
        guard track.stream.kind == .audio, let audio, let tempo = filters.tempo else { return .zero }
        return MediaTime(seconds: audio.delay(of: track).seconds / tempo)
    }
    func seek(to time: MediaTime, _ place: SeekPlace) async -> Bool { false }

    func check(_ opened: [OpenedTrack]) throws {
        if audio != nil, opened.audio.isEmpty {
            throw RushesError(
                .invalidSettings, on: file.path.string,
                "\(file.path.displayName) has no audio that can be decoded here; leave the \(Term.timelapseAudio) out.")
        }
        if looked.withLock({ $0 })?.isStampCut == true { throw StampPainter.cut }
        guard opened.video == nil else { return }
        throw RushesError(
            .badInput, "\(file.path.displayName) has no video that can be decoded here; a timelapse is made of frames.")
    }

    func checkTracks() throws {}

    func omissions(in container: Container) -> [String] {
        let name = file.path.lastComponent.map { String(decoding: $0) } ?? file.path.displayName
        let listed = properties.hasOwnSubtitles ? try? ChoosableTracks(of: FilePath(file.location)) : nil
        // The frames' reader may have nothing but frames, and there may be none of the audio.
        let read = audio ?? reader
        let streams = read.tracks.map(\.stream) + read.leftOut + read.late
        let texts = listed?.subtitles.count ?? streams.count { $0.kind == .text }
        let sounds = listed?.audio.count ?? (streams + read.undecodable).count { $0.kind == .audio }
        var notes = [StreamLosses.subtitles(texts, of: name)].compactMap(\.self)
        if audio != nil, sounds > 1 {
            notes.append("Of the \(sounds) audio tracks of \(name) the first alone is kept.")
        }
        return notes
    }

    func losses(_ delivered: Delivered) -> [String] {
        var notes = [summary].compactMap(\.self)
        let (flashes, isOne) = (light.flashes.count, light.flashes.count == 1)
        if flashes > 0 {
            let end =
                audio == nil ? "" : "; the frame before \(isOne ? "it" : "them") is shown instead, for the audio's sake"
            notes.append(
                "\(flashes) of \(expectedFrames ?? frameCount) frames \(isOne ? "was" : "were") left out, as "
                    + "\(isOne ? "its" : "their") light stands out\(end).")
        }
        if let expectedFrames, let frames = delivered.run.frames, frames + dropped < expectedFrames {
            notes.append("\(expectedFrames - dropped - frames) of \(expectedFrames) frames could not be decoded.")
        }
        if looked.withLock({ $0 })?.isStampCut == true { notes.append(StampPainter.cutNote) }
        return notes
    }

    func explained(_ error: any Error, _ status: ExportStatus) -> any Error {
        RetryReason(readingFailed: error, reader, status) ?? InputFailure.explain(error, reader, file)
    }

    func lastResort(_ status: ExportStatus) async -> RetryReason? {
        guard status.snapshot.phase == .opening, reader.hardwareDecoders.isEmpty else { return nil }
        return await frames.decoding(status)
    }

    func completion(_ opened: [OpenedTrack], _ status: ExportStatus) async -> RetryReason? {
        await frames.completion(opened, status)
    }

    /// The frames' reader as that of the video itself.
    private var frames: MovieSource {
        MovieSource(file: file, properties: properties, filters: filters, reader: reader)
    }

    var printedSource: [PipelineDescription.Node] {
        MediaReader.source(file.path.string, properties.container)
    }

    func printedNodes(_ kind: SourceStream.Kind) throws -> [PipelineDescription.Node] {
        let colors = reader.colorNodes
        return [.pad(of: "streams", template: ""), .make("queue"), .make("decodebin")]
            + (try filters.nodes(kind, correcting: colors.first)) + colors.last
    }
}
