import GStreamer

/// A camera's frames have another size than when the recording began.
struct FrameChange: Sendable {
    private let (old, new): (VideoSize, VideoSize)
    /// Whether the movie cannot go on with them: a compressed stream that is kept as it comes has one size.
    let isEnd: Bool

    /// `nil` where their size is the same, or not known: everything else is converted without a loss.
    init?(from first: Caps?, to caps: Caps) {
        guard let old = first?.frameSize, let new = caps.frameSize, old != new else { return nil }
        (self.old, self.new) = (old, new)
        isEnd = caps.first?.name != "video/x-raw"
    }

    /// The same of one of several cameras, whose frames are fitted into their place as each is.
    func composedWords(camera: String) -> String {
        "\(camera) changed its frames from \(old) to \(new); they are fitted into its place."
    }

    /// The same of a camera that follows another one.
    func switchWords(camera: String) -> String {
        "\(camera) delivers frames of \(new); they are fitted into \(old)."
    }

    /// For people, a sentence.
    func words(camera: String) -> String {
        isEnd
            ? "\(camera) changed its frames from \(old) to \(new), which a copied stream cannot hold."
            : "\(camera) changed its frames from \(old) to \(new); they are fitted into \(old)."
    }

    /// Why the recording ends, a clause.
    var reason: String { "its frames became \(new), and were \(old)" }
}

extension Caps {
    fileprivate var frameSize: VideoSize? {
        guard let width = first?["width"]?.intValue, let height = first?["height"]?.intValue else { return nil }
        return VideoSize(width, height)
    }
}
