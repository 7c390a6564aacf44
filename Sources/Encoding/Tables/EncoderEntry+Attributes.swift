import GStreamer

/// What an element can take.
extension EncoderEntry {
    /// Raw formats at a bit depth, the cheapest first; a profile may have its own, which then decides on the chroma too.
    /// Empty: not this depth, or not with so many colours.
    func formats(bitDepth: Int, chroma: ChromaSubsampling = .yuv420, profile: String?) -> [String] {
        let depth = bitDepth > 8 ? "formats-10" : "formats-8"
        let key =
            switch chroma {
            case .yuv420: depth
            case .yuv422: "\(depth)-422"
            case .yuv444: "\(depth)-444"
            }
        let own = profile.flatMap { groups["profile \($0)"] }?.list(depth) ?? []
        return own.isEmpty ? attributes.list(key) : own
    }

    /// Raw formats that say how opaque pixels are; empty where a profile keeps nothing of that.
    func alphaFormats(profile: String?) -> [String] {
        profile.flatMap { groups["profile \($0)"]?.list("formats-alpha") } ?? []
    }

    /// Caps that must follow the encoder; a profile may have its own.
    func output(profile: String?) -> String? {
        profile.flatMap { groups["profile \($0)"]?["output"] } ?? attributes["output"]
    }

    /// Raw audio formats.
    var audioFormats: [String] { attributes.list("formats") }
    var sampleRates: [Int] { attributes.list("rates").compactMap { Int($0) } }
    var highestRate: Int? { attributes.integer("highest-rate") }
    var channels: Int { attributes.integer("channels") ?? 2 }

    /// Bits a second that it can be asked for; nil where nothing says so.
    func bitrates(channels: Int, sampleRate: Int) -> ClosedRange<Int>? {
        func limits(_ key: String, times factor: Int) -> ClosedRange<Int>? {
            let ends = attributes.list(key).compactMap { Int($0) }
            return ends.count == 2 ? ends[0] * factor...max(ends[0], ends[1]) * factor : nil
        }
        let low = sampleRate < 32000 ? limits("bit-rates-below-32000-Hz", times: 1) : nil
        guard let range = low ?? limits("bit-rates", times: 1) ?? limits("bit-rates-per-channel", times: channels)
        else {
            return nil
        }
        let most = attributes.integer("most-bits-per-sample").map { $0 * sampleRate * channels } ?? range.upperBound
        return range.clamped(to: 0...max(range.lowerBound, most))
    }

    /// Samples of delay at a sample rate of the input that the encoder puts before the first one.
    func priming(sampleRate: Int) -> Int {
        let samples = attributes.integer("priming") ?? 0
        guard let rate = attributes.integer("priming-rate"), rate > 0 else { return samples }
        return samples * sampleRate / rate
    }

    var smallest: VideoSize? { attributes["smallest"].flatMap(VideoSize.init) }
    var largest: VideoSize? { attributes["largest"].flatMap(VideoSize.init) }
    var multiple: Int { attributes.integer("multiple") ?? 1 }

    /// Whether frames of this size are too small for it.
    func isTooSmall(_ size: VideoSize) -> Bool {
        smallest.map { size.width < $0.width || size.height < $0.height } ?? false
    }

    /// Why it does not take frames of this size, as a sentence without its end, or `nil` if it does.
    ///
    /// - Parameter name: the codec's, which people ask for and not for an element.
    func refusal(of size: VideoSize, as name: String) -> String? {
        if let smallest, isTooSmall(size) {
            return "frames of \(size) are too small for \(name), which needs \(smallest) or more here"
        }
        // Memory and the codecs' levels know no upright and lying frames.
        if let largest, ![size, VideoSize(size.height, size.width)].contains(where: { $0.fits(in: largest) }) {
            return "frames of \(size) are too large for \(name), which takes \(largest) or less here"
        }
        if size.width % multiple != 0 || size.height % multiple != 0 {
            return "\(name) takes only widths and heights divisible by \(multiple) here, and the frames are \(size)"
        }
        return nil
    }

    /// Whether it knows a constant quality, or a bit rate.
    var hasQuality: Bool { groups["quality"] != nil }
    var hasBitrate: Bool { groups["bitrate"] != nil }
    var hasPasses: Bool { groups["first-pass"] != nil && groups["second-pass"] != nil }

    /// The part of the time of both passes that the first one takes.
    var firstPassShare: Double { attributes.number("first-pass-share") ?? 0.5 }
}

extension VideoSize {
    fileprivate func fits(in other: VideoSize) -> Bool { width <= other.width && height <= other.height }
}
