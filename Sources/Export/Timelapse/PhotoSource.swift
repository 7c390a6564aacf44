import Composition
import Encoding
import Errors
import GStreamer
import Imaging
import MediaTypes
import Photos
import SystemPackage
import Threads

/// Photos that are being read: a short pipeline, from a thread that has them to whoever pulls.
struct PhotoSource: FrameSource {
    private let photos: [PhotoFile]
    private let unreadable: [(path: FilePath, reason: String)]
    private let reel: PhotoReel
    private let flashes: [PhotoFile]
    private let painting: PhotoPainting
    private let places: PhotoPlaces
    private let isStamped: Bool
    private let looked: TimelapseFilters?
    private let renderer: TextRenderer?
    private let pipeline: Pipeline
    private let source: AppSource
    let tracks: [MediaReader.Track]

    /// - Throws: ``GStreamerError`` if an element is missing.
    init(
        _ photos: [PhotoFile], _ schedule: PhotoSchedule, size: VideoSize, _ timelapse: Timelapse,
        light: LightPlan, lookupTable: LookupTable?, images: TimelapseImages,
        unreadable: [(path: FilePath, reason: String)]
    ) throws(GStreamerError) {
        (self.photos, self.unreadable, isStamped) = (photos, unreadable, timelapse.look.stamp != nil)
        places = PhotoPlaces(schedule, photos, rate: timelapse.rate)
        painting = try PhotoPainting(size: size, rate: timelapse.rate, fit: timelapse.fit)
        reel = PhotoReel(photos, painting, light)
        flashes = light.flashes.sorted().map { photos[$0] }
        pipeline = try PipelineDescription([
            [
                .make(
                    "appsrc", name: "photos",
                    ["format": "time", "block": true, "max-bytes": .int(1), "caps": .caps(painting.caps)]),
                .make(
                    "appsink", name: "frames",
                    ["sync": false, "async": false, "enable-last-sample": false, "max-buffers": 1]),
            ]
        ]).build(name: "photos")
        guard let first = pipeline.bin.element(named: "photos"), let last = pipeline.bin.element(named: "frames"),
            let pad = last.pad("sink")
        else { throw GStreamerError(element: "photos", message: "it is gone") }
        source = try AppSource(first)
        last.playWithLockedState()
        let stream = SourceStream(kind: .video, index: 0, caps: painting.caps)
        let sink = try AppSink(last)
        let look = timelapse.look
        renderer = look.stamp == nil ? nil : try TextRenderer()
        let stamp = look.stamp.flatMap { [renderer, places] format in
            renderer.map { StampFilter(format, $0) { places.moment(at: $0) } }
        }
        looked =
            look.isPlain && lookupTable == nil
            ? nil
            : TimelapseFilters(
                sink, look, images: images, frameCount: schedule.frameCount(without: light.flashes), light: nil,
                lookupTable: lookupTable, stamp: stamp)
        tracks = [MediaReader.Track(stream: stream, isCopied: false, sink: looked ?? sink, pad: pad)]
    }

    var failure: GStreamerError? { pipeline.bus.failure ?? looked?.failure }
    var absorbedFrames: Int { looked?.absorbed ?? 0 }
    var decodedFormat: String { "photos" }
    var isIndexed: Bool { false }
    var timeOrigin: MediaTime? { nil }

    func open() async throws {
        await pipeline.begin(.paused, within: .seconds(10))
        await renderer?.open()
        let hasBegun = reel.start(
            deliver: { [source, places] buffer, photo in
                let (time, duration) = places.next(photo)
                return source.push(buffer.retimed(presentationTime: time, duration: duration))
            }, end: { [source] in source.endOfStream() })
        guard hasBegun else { throw ThreadShortage() }
    }

    func stop() async {
        reel.stop()
        await pipeline.stop(within: .seconds(2))
        await renderer?.stop()
    }

    func delay(of track: MediaReader.Track) -> MediaTime { .zero }
    func seek(to time: MediaTime, _ place: SeekPlace) async -> Bool { false }

    func check(_ opened: [OpenedTrack]) throws {
        if looked?.isStampCut == true { throw StampPainter.cut }
        guard opened.video == nil else { return }
        let reason = reel.failures.first.map { ": \($0.photo.path.displayName): \($0.reason)" } ?? ""
        throw RushesError(.badInput, "None of the \(photos.count) photos can be decoded\(reason).")
    }

    func checkTracks() throws {}
    func omissions(in container: Container) -> [String] { [] }

    func losses(_ delivered: Delivered) -> [String] {
        let lost = unreadable.map { ($0.path, $0.reason) } + reel.failures.map { ($0.photo.path, $0.reason) }
        let count = photos.count + unreadable.count
        var notes: [String] = []
        if !lost.isEmpty {
            let names = Self.list(lost.map { "\($0.0.lastComponent?.string ?? "?") (\($0.1))" })
            notes.append("\(lost.count) of \(count) photos were skipped: \(names).")
        }
        if !flashes.isEmpty {
            let names = Self.list(flashes.map { $0.path.lastComponent?.string ?? "?" })
            notes.append("\(flashes.count) of \(count) photos were left out, as their light stands out: \(names).")
        }
        if looked?.isStampCut == true { notes.append(StampPainter.cutNote) }
        let shown = Set(photos).subtracting(reel.failures.map(\.photo))
        let undated = shown.count { $0.date == nil }
        if isStamped, undated > 0 {
            notes.append(
                "\(undated) of \(shown.count) photos do not say when they were taken; no time is drawn into them.")
        }
        return notes
    }

    private static func list(_ names: [String]) -> String {
        let more = names.count > namedCount ? " and \(names.count - namedCount) more" : ""
        return names.prefix(namedCount).joined(separator: ", ") + more
    }

    /// Of photos that are not shown, as many as a person reads.
    private static let namedCount = 5

    func explained(_ error: any Error, _ status: ExportStatus) -> any Error { error }

    var printedSource: [PipelineDescription.Node] { [] }
    func printedNodes(_ kind: SourceStream.Kind) throws -> [PipelineDescription.Node] { [] }
}
