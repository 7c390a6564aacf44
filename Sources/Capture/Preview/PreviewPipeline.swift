import CaptureAudio
import Encoding
import GStreamer
import MediaTypes

/// What a ``PreviewOutput`` shows: frames turned upright, made as small as a window is, and the meter drawn into them.
enum PreviewPipeline {
    /// Of the element that draws the meter.
    static let meter = "meter"
    /// Into which frames are fitted, in pixels.
    private static let largest = VideoSize(960, 540)

    /// - Parameter window: which shows the frames, as large as they are made.
    static func make(
        _ caps: Caps, _ orientation: MovieOrientation, in window: PreviewWindow
    ) throws(GStreamerError) -> Pipeline {
        var nodes: [PipelineDescription.Node] = [
            .make("appsrc", name: FrameBranch.source, ["caps": .caps(caps), "format": "time", "is-live": true])
        ]
        if orientation != .upright { nodes += [.make("videoconvert")] + orientation.flips }
        nodes += [
            .make("videoconvertscale"),
            .caps(
                Caps(
                    "video/x-raw",
                    [
                        "format": "BGRx", "width": .int(Int64(window.size.width)),
                        "height": .int(Int64(window.size.height)),
                        "pixel-aspect-ratio": .fraction(Fraction(1)),
                    ])),
        ]
        if ElementFactory.exists("textoverlay") {
            nodes.append(
                .make(
                    "textoverlay", name: meter,
                    [
                        "text": "", "halignment": "left", "valignment": "bottom", "auto-resize": false,
                        "line-alignment": "left",
                        "shaded-background": true, "font-desc": .text("Monospace \(max(9, window.size.height / 36))px"),
                    ]))
        }
        nodes.append(.make("appsink", name: "out", ["sync": false, "async": false, "enable-last-sample": false]))
        let pipeline = try PipelineDescription([nodes]).build(name: "preview")
        guard let out = pipeline.bin.element(named: "out") else {
            throw GStreamerError(element: "preview", message: "the pipeline has no end")
        }
        try AppSink(out).receive(
            onSample: { sample in
                guard let buffer = sample.buffer else { return true }
                return (try? buffer.withBytes { window.show($0) }) ?? false
            }, onEnd: {})
        return pipeline
    }

    /// The size of the window for frames that are so, as they are shown.
    static func shown(_ caps: Caps, _ orientation: MovieOrientation) -> VideoSize {
        guard let format = caps.first, let width = format["width"]?.intValue, let height = format["height"]?.intValue,
            width > 0, height > 0
        else { return largest }
        let shape = format["pixel-aspect-ratio"]?.fractionValue?.doubleValue ?? 1
        var (wide, high) = (Double(width) * (shape > 0 ? shape : 1), Double(height))
        if orientation.swapsWidthAndHeight { swap(&wide, &high) }
        let scale = min(1, Double(largest.width) / wide, Double(largest.height) / high)
        func even(_ length: Double) -> Int { max(2, Int(length * scale / 2) * 2) }
        return VideoSize(even(wide), even(high))
    }

    // MARK: The meter

    /// Decibels at the meter's left end, and where it becomes yellow and red.
    private static let (floor, loud, tooLoud) = (-60.0, -18.0, -6.0)
    private static let steps = 24

    /// A line for each channel, in Pango's markup.
    static func words(_ level: AudioLevel) -> String {
        level.average.map { average in
            let lit = Int(((average - floor) / -floor * Double(steps)).rounded()).clamped(to: 0...steps)
            let color = average > tooLoud ? "#ff4040" : average > loud ? "#ffd040" : "#40d060"
            let number = average <= LevelMeter.floor ? "   −∞" : String(Int(average.rounded())).leftPadded(to: 5)
            return "<span foreground=\"\(color)\">\(String(repeating: "▇", count: lit))</span>"
                + "<span foreground=\"#505050\">\(String(repeating: "▇", count: steps - lit))</span>\(number) dB"
        }.joined(separator: "\n")
    }
}

extension Int {
    fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension String {
    fileprivate func leftPadded(to length: Int) -> String {
        String(repeating: " ", count: max(0, length - count)) + self
    }
}
