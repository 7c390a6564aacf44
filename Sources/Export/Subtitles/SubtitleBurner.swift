import Composition
import Errors
import GStreamer
import Imaging
import MediaTypes
import MovieFiles
import Subtitles
import Threads

/// Draws subtitles into the frames of one run, as its encoder gets them: each frame shows what is to be seen at its time.
final class SubtitleBurner: Sendable {
    /// For frames of one kind.
    private struct Drawing: @unchecked Sendable {
        // One thread at a time has the burner's state.
        let painter: any SubtitlePainter
        let caps: Caps
        let layout: VideoFrameLayout
        let graded: GradedLayout
        let color: ColorEncoding
        var overlay: FrameOverlay?
    }

    private let stream: SubtitleStream
    private let geometry: SubtitleGeometry
    /// Which of the movie's time became which of the output's, in the output's order; at least one.
    private let spans: [MovieSubtitles.Span]
    private let delay: MediaTime
    private let speed: Double
    private let drawing = Locked<Drawing?>(nil)

    /// - Parameters:
    ///   - delay: by how much all frames are shown later.
    ///   - speed: how many times as fast as the movie the output is, at whose speed `spans` have their times.
    init(
        _ stream: SubtitleStream, _ geometry: SubtitleGeometry, spans: [MovieSubtitles.Span], delay: MediaTime,
        speed: Double
    ) {
        (self.stream, self.geometry, self.spans, self.delay, self.speed) = (stream, geometry, spans, delay, speed)
    }

    /// Sentences for people.
    var notes: [String] {
        guard drawing.withLock({ $0?.painter.lacksLetters ?? false }) else { return [] }
        return ["The subtitles have letters that no installed font has; install fonts, such as fonts-noto-cjk."]
    }

    /// Only one thread draws.
    ///
    /// - Throws: ``RushesError`` without fonts; ``GStreamerError`` for another format, and where there is no memory.
    func draw(into buffer: Buffer, _ caps: Caps) throws -> Buffer {
        try drawing.withLock { drawing in
            if drawing?.caps != caps { drawing = try begin(caps) }
            guard var now = drawing, let time = buffer.presentationTime else { return buffer }
            if case .image(let image) = now.painter.image(at: movieTime(time)) {
                now.overlay = image.map { image in
                    FrameOverlay(
                        image.stored(geometry.drawn, in: now.layout.size), now.graded, size: now.layout.size,
                        color: now.color)
                }
                drawing = now
            }
            guard let overlay = now.overlay else { return buffer }
            var buffer = buffer
            try buffer.withMutablePlanes(now.layout) { planes in
                overlay.draw(into: planes.map { .init($0.base, bytesPerRow: $0.bytesPerRow) })
            }
            return buffer
        }
    }

    private func begin(_ caps: Caps) throws -> Drawing {
        guard let layout = VideoFrameLayout(caps), let graded = GradedLayout(layout.format),
            let colorimetry = Colorimetry(caps)
        else {
            throw GStreamerError(element: "subtitles", message: "nothing is drawn into frames of the kind \(caps)")
        }
        let canvas = geometry.canvas(caps, size: layout.size, OverlayLight(colorimetry))
        let painter: any SubtitlePainter =
            stream.codec.isBitmap ? try ImagePainter(stream, on: canvas) : try LetterPainter(stream, on: canvas)
        return Drawing(
            painter: painter, caps: caps, layout: layout, graded: graded, color: ColorEncoding(colorimetry))
    }

    /// The movie's time of a frame of the output.
    private func movieTime(_ time: MediaTime) -> MediaTime {
        let time = (time - delay).shown(atSpeed: 1 / speed).nanoseconds
        guard let span = spans.last(where: { $0.begin <= time }) ?? spans.first else {
            return MediaTime(nanoseconds: time)
        }
        return MediaTime(nanoseconds: time - span.begin + span.origin)
    }
}

extension OverlayLight {
    fileprivate init(_ colorimetry: Colorimetry) {
        self =
            switch colorimetry.transfer {
            case 16: .pq
            case 18: .hlg
            default: .standard
            }
    }
}
