import Encoding
import Errors
import GStreamer
import MediaTypes
import SystemPackage
import Threads

/// A still image that is shown for a time, as what an export is made of.
struct StillInput: ExportInput {
    let image: StillImage
    /// With how long it is shown, and what the movie says of itself.
    let properties: InputProperties
    let displayName: String
    var file: InputFile? { nil }

    func source(for _: ExportTarget, without _: RetryReasons) throws -> any FrameSource {
        try StillSource(image, lasting: properties.duration ?? .zero)
    }
}

/// A frame that is given again and again, for so long.
struct StillSource: FrameSource {
    let tracks: [MediaReader.Track]

    /// - Throws: ``GStreamerError`` if an element is missing.
    init(_ image: StillImage, lasting duration: MediaTime) throws(GStreamerError) {
        // A track has a place where it comes out of a pipeline.
        guard let pad = try Element("appsink").pad("sink") else {
            throw GStreamerError(element: "image", message: "it has no end")
        }
        let stream = SourceStream(kind: .video, index: 0, caps: image.caps(lasting: duration))
        let frames = StillFrames(image, lasting: duration)
        tracks = [MediaReader.Track(stream: stream, isCopied: false, sink: frames, pad: pad)]
    }

    var failure: GStreamerError? { nil }
    var decodedFormat: String { "the image" }
    var isIndexed: Bool { false }
    var timeOrigin: MediaTime? { nil }

    func open() async throws {}
    func stop() async {}
    func delay(of _: MediaReader.Track) -> MediaTime { .zero }
    func seek(to _: MediaTime, _: SeekPlace) async -> Bool { false }
    func check(_: [OpenedTrack]) throws {}
    func checkTracks() throws {}
    func omissions(in _: Container) -> [String] { [] }
    func losses(_: Delivered) -> [String] { [] }
    func explained(_ error: any Error, _: ExportStatus) -> any Error { error }

    var printedSource: [PipelineDescription.Node] { [] }
    func printedNodes(_: SourceStream.Kind) throws -> [PipelineDescription.Node] { [] }
}

/// The samples of a still image: at its rate, the last one up to the end.
final class StillFrames: SampleSource {
    private let image: StillImage
    private let caps: Caps
    private let duration: MediaTime
    private let count: Int
    private let next = Locked(0)

    init(_ image: StillImage, lasting duration: MediaTime) {
        (self.image, caps, self.duration) = (image, image.caps(lasting: duration), duration)
        // None is shorter than the others, but where it is the only one.
        count = max(1, Int(duration.seconds * StillImage.rate.doubleValue))
    }

    func discardSamples() { next.withLock { $0 = count } }

    func pull(within _: Duration) -> AppSink.Pulled {
        let number = next.withLock { number in
            defer { number += 1 }
            return number
        }
        guard number < count else { return .end }
        let time = MediaTime(samples: number, of: StillImage.rate)
        let end = number == count - 1 ? duration : MediaTime(samples: number + 1, of: StillImage.rate)
        return .sample(Sample(image.frame.retimed(presentationTime: time, duration: end - time), caps))
    }
}
