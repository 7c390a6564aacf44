import Errors
import GStreamer

/// A source that a person wrote as for gst-launch, after `gst:`, completed so that it ends in what is wanted.
///
/// The line may end in raw video or audio, in a compressed stream, in a network camera (rtspsrc), or in elements whose
/// outputs only come while it runs (decodebin, a demuxer). What is appended is ours; the line is left as it is.
struct LaunchLine {
    enum Media: String { case video, audio }

    let line: String

    /// The line, completed to end in raw video or audio, parsed once to find its mistakes.
    ///
    /// - Parameter caps: what the end must be, such as "video/x-raw,format=I420".
    /// - Throws: ``RushesError`` with the parser's words.
    func raw(_ media: Media, caps: String) throws(RushesError) -> String {
        let decoding: String
        switch ending(media) {
        case .rawCaps: decoding = ""  // the parser takes no two caps in a row
        case .raw: decoding = " ! \(media.rawValue)/x-raw"
        case .packets: decoding = " ! application/x-rtp,media=\(media.rawValue) ! decodebin ! \(media.rawValue)/x-raw"
        case .other: decoding = " ! decodebin ! \(media.rawValue)/x-raw"
        }
        // Dithering would spoil what an encoder makes of it; clocksync paces a source that is not live, such as a file.
        let conversion = media == .video ? "videoconvert dither=none" : "audioconvert"
        return try checked("\(line)\(decoding) ! \(conversion) ! \(caps) ! clocksync")
    }

    /// The line, completed to end in its own H.264 stream.
    func h264() throws(RushesError) -> String {
        let packets = ending(.video) == .packets ? "application/x-rtp,media=video ! " : ""
        return try checked(
            "\(line) ! \(packets)parsebin ! h264parse config-interval=-1 ! "
                + "video/x-h264,stream-format=byte-stream,alignment=au ! clocksync")
    }

    private func checked(_ complete: String) throws(RushesError) -> String {
        do {
            _ = try Bin(parsingSource: complete)
            return complete
        } catch {
            throw RushesError(
                .badSource, on: "gst:\(line)",
                "gst:\(line): \(error.message); write a source as for gst-launch-1.0, without a sink at its end",
                underlying: error)
        }
    }

    private enum Ending { case raw, rawCaps, packets, other }

    /// What comes out of the line, as far as its last word tells.
    private func ending(_ media: Media) -> Ending {
        let last = line.split(separator: "!").last.map(String.init) ?? line
        guard let word = last.split(whereSeparator: \.isWhitespace).first.map(String.init) else { return .other }
        // Caps at the end say it themselves.
        if let slash = word.firstIndex(of: "/"), !word[..<slash].contains("=") {
            return word.hasPrefix("\(media.rawValue)/x-raw") ? .rawCaps : .other
        }
        guard let factory = ElementFactory(word) else { return .other }
        let outputs = factory.templateCaps(source: true)
        let packets = Caps("application/x-rtp", [:])
        if outputs.contains(where: { !$0.isAny && $0.canIntersect(packets) }), factory.classification.contains("Source")
        {
            return .packets
        }
        // Demuxers and parsers say that they give anything.
        let isWrapped = ["Demuxer", "Parser", "Depayloader"].contains { factory.classification.contains($0) }
        let raw = Caps("\(media.rawValue)/x-raw", [:])
        return !isWrapped && outputs.contains { $0.canIntersect(raw) } ? .raw : .other
    }
}

extension PipelineDescription.Node {
    /// Whether a person wrote it.
    var isLaunchLine: Bool { if case .launchLine = self { true } else { false } }
}
