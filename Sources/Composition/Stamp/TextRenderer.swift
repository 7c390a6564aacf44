package import GStreamer
package import Imaging
import MediaTypes
import Threads

/// Draws a line of text with GStreamer's Pango, for stamps: white on a black strip, whose light is how much it covers.
package final class TextRenderer: Sendable {
    private let pipeline: Pipeline
    private let source: AppSource
    private let text: Element
    private let sink: AppSink
    private let strip: Buffer
    private let layout: VideoFrameLayout
    /// One line at a time: of two movies that follow each other, the old one's frames may still be drawn while the new one's are.
    private let turn = Locked(())

    /// Letters are drawn so high, and then scaled.
    private static let letters = 64
    /// Of a strip, with room for what hangs below the line and stands above it.
    private static let size = VideoSize(4096, 128)
    private static let format = ImageFormat(.i420, size: size, color: ColorEncoding(.bt601, .full))

    /// - Throws: ``GStreamerError`` if GStreamer has no Pango here.
    package init() throws(GStreamerError) {
        let caps = try Caps(
            "video/x-raw,format=I420,width=\(Self.size.width),height=\(Self.size.height),framerate=25/1,"
                + "colorimetry=(string)1:4:7:1,pixel-aspect-ratio=1/1")
        let refusal = GStreamerError(element: "stamp", message: "there is not enough memory for text")
        guard let layout = VideoFrameLayout(caps), var strip = try FramePool(caps, layout).buffer() else {
            throw refusal
        }
        pipeline = try PipelineDescription([
            [
                .make("appsrc", name: "strips", ["format": "time", "caps": .caps(caps)]),
                .make(
                    "textoverlay", name: "text",
                    [
                        "auto-resize": false, "draw-outline": false, "draw-shadow": false, "wrap-mode": "none",
                        "halignment": "left", "valignment": "center", "xpad": .int(0), "ypad": .int(0),
                        "font-desc": .text("Sans Bold \(Self.letters)px"),
                    ]),
                .make("appsink", name: "drawn", ["sync": false, "async": false, "enable-last-sample": false]),
            ]
        ]).build(name: "stamp")
        guard let first = pipeline.bin.element(named: "strips"), let text = pipeline.bin.element(named: "text"),
            let last = pipeline.bin.element(named: "drawn")
        else { throw refusal }
        (source, self.text, sink) = (try AppSource(first), text, try AppSink(last))
        do {
            try strip.withMutablePlanes(layout) { planes in
                try FrameComposer().fill(
                    of: MutableFrameView(
                        Self.format, planes: planes.map { .init($0.base, bytesPerRow: $0.bytesPerRow) }))
            }
        } catch { throw refusal }
        (self.strip, self.layout) = (strip, layout)
    }

    package func open() async { await pipeline.begin(.playing, within: .seconds(10)) }
    package func stop() async { await pipeline.stop(within: .seconds(2)) }

    /// Blocks, at most a few seconds.
    ///
    /// - Parameter letters: how high they are, in pixels.
    /// - Returns: the text, and whether its end is missing; nil for a text without letters, and where it cannot be drawn.
    package func stamp(_ line: String, letters: Int) -> (stamp: TextStamp, isCut: Bool)? {
        turn.withLock { _ in draw(line, letters) }
    }

    private func draw(_ line: String, _ letters: Int) -> (stamp: TextStamp, isCut: Bool)? {
        guard (try? text.set("text", to: .text(Self.plain(line)))) != nil,
            source.push(strip.retimed(presentationTime: .zero, duration: nil)),
            case .sample(let sample) = sink.pull(within: .seconds(5))
        else { return nil }
        let scaled = VideoSize(Self.size.width * letters / Self.letters, Self.size.height * letters / Self.letters)
        let target = FrameBuffer(ImageFormat(.i420, size: scaled, color: Self.format.color))
        let isDrawn: Void? = try? sample.buffer?.withPlanes(layout) { planes in
            let drawn = FrameView(
                Self.format, planes: planes.map { .init(UnsafeRawPointer($0.base), bytesPerRow: $0.bytesPerRow) })
            try target.withMutableView { try FrameConverter().convert(drawn, to: $0) }
        }
        guard isDrawn != nil else { return nil }
        let coverage = target.withView { view in
            (0..<scaled.height).flatMap { row in
                UnsafeRawBufferPointer(
                    start: view.planes[0].base + row * view.planes[0].bytesPerRow, count: scaled.width)
            }
        }
        let isCut = (1...scaled.height).contains { coverage[$0 * scaled.width - 1] > 0 }
        return TextStamp(coverage: coverage, width: scaled.width, border: max(1, letters / 10)).map { ($0, isCut) }
    }

    /// textoverlay reads Pango's markup.
    private static func plain(_ line: String) -> String {
        line.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
