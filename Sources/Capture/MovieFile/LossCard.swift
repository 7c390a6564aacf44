import GStreamer
import MediaTypes
import Threads

/// A black frame that says why there are no others, for a recording whose camera is gone.
enum LossCard {
    /// Makes one; never blocks the caller's thread.
    ///
    /// - Parameters:
    ///   - caps: what the recording's frames are.
    ///   - lines: what is to be read; left out where GStreamer has no Pango here.
    /// - Returns: `nil` for frames that GStreamer cannot make of black ones, such as interlaced or compressed ones.
    static func frame(_ caps: Caps, saying lines: [String]) async -> Buffer? {
        guard let format = caps.first, format.name == "video/x-raw", let width = format["width"]?.intValue,
            let height = format["height"]?.intValue
        else { return nil }
        for nodes in [drawn(lines, VideoSize(width, height)), []] {
            if let frame = await frame(caps, nodes) { return frame }
        }
        return nil
    }

    private static func frame(_ caps: Caps, _ nodes: [PipelineDescription.Node]) async -> Buffer? {
        let source = PipelineDescription.Node.make("videotestsrc", ["num-buffers": 1, "pattern": "black"])
        let ends: [PipelineDescription.Node] = [
            .make("videoconvert"), .caps(caps),
            .make("appsink", name: "card", ["sync": false, "async": false, "enable-last-sample": false]),
        ]
        guard let pipeline = try? PipelineDescription([[source] + nodes + ends]).build(name: "card"),
            let end = pipeline.bin.element(named: "card"), let sink = try? AppSink(end)
        else { return nil }
        await pipeline.begin(.playing, within: .seconds(5))
        let frame: Buffer? = try? await onOwnThread("rushes-card") {
            if case .sample(let sample) = sink.pull(within: .seconds(5)) { sample.buffer } else { nil }
        }
        await pipeline.stop(within: .seconds(2))
        return frame
    }

    /// Text on the frame before it is converted, of a size that is to be read on a phone.
    private static func drawn(_ lines: [String], _ size: VideoSize) -> [PipelineDescription.Node] {
        [
            .caps(Caps("video/x-raw", ["width": .int(Int64(size.width)), "height": .int(Int64(size.height))])),
            .make(
                "textoverlay",
                [
                    "text": .text(lines.joined(separator: "\n").withoutMarkup), "auto-resize": false,
                    "halignment": "center", "valignment": "center",
                    "font-desc": .text("Sans \(max(8, size.height / 20))px"),
                ]),
        ]
    }
}

extension String {
    /// textoverlay reads Pango's markup.
    package var withoutMarkup: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
