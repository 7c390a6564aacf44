import GStreamer

/// One stream of the input, as the demuxer announces it.
struct SourceStream: Sendable {
    enum Kind: Sendable, Hashable { case video, audio, text }

    var kind: Kind
    /// Its place among those of its kind, from 0.
    var index: Int
    /// What it is before it is decoded.
    var caps: Caps
    /// What all elements call it; nil where that is not known yet.
    var identifier: String?
    /// The pad of `parsebin` that it comes out of.
    var padName: String?

    /// Whether each frame can be decoded by itself, so that a part can begin with any.
    var isIntraOnly: Bool {
        // Each is drawn over what those before have left.
        if caps.first?.name == Self.gif { return false }
        let names = ["image/", "video/x-prores", "video/x-dnxhd", "video/x-dv", "video/x-raw", "video/x-ffv"]
        return caps.first.map { format in names.contains { format.name.hasPrefix($0) } } ?? false
    }

    /// Whether its decoder gives frames the times of others; see ``PacketTimestamps``.
    var needsPacketTimes: Bool {
        let format = caps.first
        return format?.name == Self.gif
            || format?.name == "video/x-rle" && format?["layout"]?.stringValue == "quicktime"
    }

    /// What becomes of it.
    enum StreamDisposition: Sendable, Hashable {
        case decode
        /// Handed on as it is.
        case copy
        case leaveOut
    }

    /// What the decoder of GIFs takes.
    static let gif = "image/gst-libav-gif"
    private static let images: Set = [
        "image/jpeg", "image/x-jpc", "image/png", "image/webp", gif,
    ]

    /// - Returns: `nil` for what is neither video, audio nor text, such as a data stream or subtitles made of frames.
    static func kind(of caps: Caps) -> Kind? {
        guard let name = caps.first?.name else { return nil }
        if name.hasPrefix("video/") || images.contains(name) { return .video }
        if name.hasPrefix("audio/") { return .audio }
        let texts = ["text/x-raw", "application/x-ssa", "application/x-ass", "text/vtt", "application/x-subtitle-vtt"]
        return texts.contains(name) ? .text : nil
    }
}

/// A track as its first sample shows it.
struct OpenedTrack: Sendable {
    var track: MediaReader.Track
    var first: Sample
    /// The sample that is carried on from: the first one, or where the input was sought, the first one there.
    var begin: Sample

    /// When the earliest of its frames is shown, where that is before the first one or before all that has come; see ``knowingLeadingFrames(since:while:)``.
    var leading: MediaTime?

    /// By how much its decoder's first audio timestamp precedes the true one (GStreamer 1.22, AAC).
    var late: MediaTime = .zero

    /// What comes out of libavfilter, where it goes through that.
    var filtered: Caps?

    init(track: MediaReader.Track, first: Sample) { (self.track, self.first, begin) = (track, first, first) }

    /// What the reader gives.
    var given: Caps { first.caps ?? track.stream.caps }
    /// What the encoder gets, or the muxer.
    var caps: Caps { filtered ?? given }
}

extension [OpenedTrack] {
    var video: OpenedTrack? { first { $0.track.stream.kind == .video } }
    var audio: [OpenedTrack] { filter { $0.track.stream.kind == .audio } }
}

enum RawAudio {
    /// Of one sample: the number in GStreamer's name of the format, such as "S16LE".
    static func bits(_ format: String) -> Int { Int(format.filter { ("0"..."9").contains($0) }) ?? 32 }
}
