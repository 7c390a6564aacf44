import Encoding
import Errors
import MediaTypes

/// What each setting may be, whoever gives it: a program, an option, or a batch's manifest, which may come from anywhere.
extension ExportSettings {
    /// Channels that every container and encoder can be asked for.
    package static let channelRange = 1...8
    /// As far as audio is understood, and frames make a movie.
    package static let speedRange = 0.1...10
    /// In LUFS, as far as EBU R 128 measures and audio can be amplified without being all peaks.
    package static let loudnessRange = -70.0...(-5)
    /// Samples of audio a second.
    package static let sampleRateRange = 8000...192_000
    /// Audio that is further away belongs to another movie.
    static let longestDelay: MediaTime = 3600 * .second
    /// Of ``RateControl/quality(_:)``.
    package static let qualityRange = 0...100
    /// Pixels of a side, and from a side.
    package static let pixelRange = 0...65535

    /// - Throws: ``RushesError`` for a value that means nothing, before anything is read or written.
    func checkRanges() throws(RushesError) {
        for part in (range.map { [$0] } ?? []) + (parts ?? []) { try part.check() }
        if parts?.contains(where: \.countsFromEnd) == true {
            throw Self.refused(
                "Parts that are joined have times from the movie's beginning; give them none below zero.")
        }
        if let parts, parts.isEmpty {
            throw Self.refused("There is no \(Term.part) to take; name one, or leave it out.")
        }
        if let rate, !(rate.numerator > 0 && rate.denominator > 0 && (0.001...1000).contains(rate.doubleValue)) {
            throw Self.refused("\(Term.frameRate) is \(rate); it is from 0.001 to 1000 frames a second.")
        }
        if let speed, !Self.speedRange.contains(speed) {
            throw Self.refused("\(Term.speed) is \(speed); it is from 0.1 to 10, and more is what a timelapse is for.")
        }
        if let bitDepth, bitDepth != 8, bitDepth != 10 {
            throw Self.refused("\(Term.bitDepth) is \(bitDepth); it is 8 or 10.")
        }
        try checkSizes()
        if let sampleRate { try Self.check(sampleRate, Self.sampleRateRange, .sampleRate) }
        if let audioBitDepth, audioBitDepth != 16, audioBitDepth != 24 {
            throw Self.refused("\(Term.audioBitDepth) is \(audioBitDepth); it is 16 or 24.")
        }
        if let audioDelay, audioDelay.length > Self.longestDelay {
            throw Self.refused("\(Term.audioDelay) is \(audioDelay); it is at most an hour.")
        }
        if let channels { try Self.check(channels, Self.channelRange, .channels) }
        if let loudness, !Self.loudnessRange.contains(loudness) {
            throw Self.refused("\(Term.loudness) is \(loudness); it is from -70 to -5 LUFS.")
        }
        switch rateControl {
        case .standard: break
        case .quality(let quality): try Self.check(quality, Self.qualityRange, .quality)
        case .bitrate(let rate): try Self.check(rate, 1...Int(Int32.max), .bitrate)
        }
        if let targetSize, targetSize < 1 {
            throw Self.refused("\(Term.targetSize) is \(targetSize) bytes; it is at least one.")
        }
        if let quality = targetQuality, !(quality.score > 0 && quality.score < quality.metric.best) {
            throw Self.refused(
                "\(Term.targetQuality) is \(quality.score); \(quality.metric.displayName) is above 0 and below \(quality.metric.best)."
            )
        }
    }

    private func checkSizes() throws(RushesError) {
        let sides = 1...Self.pixelRange.upperBound
        if let size, !sides.contains(size.width) || !sides.contains(size.height) {
            throw Self.refused("\(Term.size) is \(size); each side has from 1 to 65535 pixels.")
        }
        if let scale, !FrameScale.range.contains(scale.pixels) {
            throw Self.refused("\(Term.size) is \(scale.pixels); it is from 2 to 65535 pixels.")
        }
        if size != nil, scale != nil { throw Self.refused("\(Term.size) is given twice; give one.") }
        guard let crop else { return }
        let isInRange =
            Self.pixelRange.contains(crop.x) && Self.pixelRange.contains(crop.y) && sides.contains(crop.size.width)
            && sides.contains(crop.size.height)
        guard isInRange else {
            throw Self.refused(
                "\(Term.crop) is \(crop.size) at \(crop.x), \(crop.y); these are from 0 to 65535 pixels.")
        }
    }

    private static func check(_ value: Int, _ range: ClosedRange<Int>, _ term: Term) throws(RushesError) {
        guard !range.contains(value) else { return }
        throw refused("\(term) is \(value); it is from \(range.lowerBound) to \(range.upperBound).")
    }

    private static func refused(_ message: String) -> RushesError { RushesError(.invalidSettings, message) }
}

extension TimeRange {
    /// - Throws: ``RushesError`` for one that ends before it begins, as far as that is known without the movie, or lies beyond all that a
    ///   movie can hold.
    fileprivate func check() throws(RushesError) {
        let isOrdered = end.map { ($0 < .zero) != (start < .zero) || $0 > start } ?? true
        let problem: String? =
            if max(start.length, end?.length ?? .zero) > .longest {
                "lies beyond what a movie can hold; without an end it goes to the movie's"
            } else if let end, !isOrdered { "ends at \(end), where it begins or before" } else { nil }
        if let problem { throw RushesError(.invalidSettings, "The \(Term.part) \(problem).") }
    }
}
