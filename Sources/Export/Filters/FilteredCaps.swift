import GStreamer
import MediaFilters
import MediaTypes

extension VideoFilter.Properties {
    /// What caps say of frames; nil where they are no fixed raw video.
    init?(_ caps: Caps) {
        guard let color = Colorimetry(caps), let fields = caps.first else { return nil }
        self.init(
            primaries: color.primaries, transfer: color.transfer, matrix: color.matrix,
            isFullRange: color.isFullRange,
            pixelAspect: fields["pixel-aspect-ratio"]?.fractionValue ?? Fraction(1),
            rate: fields["framerate"]?.fractionValue.flatMap { $0.numerator > 0 ? $0 : nil })
    }
}

extension Caps {
    /// What frames of these caps are behind filters.
    ///
    /// - Parameters:
    ///   - given: what the frames were.
    ///   - seen: what one became; nil where none came out.
    func filtered(by filter: VideoFilter, given: VideoFilter.Properties, seen: VideoFilter.Properties?) -> Caps {
        guard let first else { return self }
        let stored = filter.format.stored
        var fields = first.fields
        if fields["format"]?.stringValue != filter.format.name { fields["chroma-site"] = nil }
        fields["format"] = .string(filter.format.name)
        (fields["width"], fields["height"]) = (.int(Int64(stored.width)), .int(Int64(stored.height)))
        fields["pixel-aspect-ratio"] = .fraction(filter.pixelAspect)
        if let rate = filter.rate { fields["framerate"] = .fraction(rate) }
        // What GStreamer takes for granted by the frames' height is another thing where that changes.
        if fields["colorimetry"] == nil, let own = Colorimetry(self) {
            fields["colorimetry"] = own.capsText.map { .string($0) }
        }
        guard let seen else { return Caps(first.name, fields) }
        let (old, new) = (Colorimetry(given), Colorimetry(seen))
        if new != old, let text = new.capsText {
            fields["colorimetry"] = .string(text)
            if new.hdrName == nil { (fields["mastering-display-info"], fields["content-light-level"]) = (nil, nil) }
        }
        if !seen.isInterlaced, fields["interlace-mode"] != nil {
            (fields["interlace-mode"], fields["field-order"]) = ("progressive", nil)
        }
        return Caps(first.name, fields)
    }
}

extension Colorimetry {
    fileprivate init(_ properties: VideoFilter.Properties) {
        self.init(
            primaries: properties.primaries, transfer: properties.transfer, matrix: properties.matrix,
            isFullRange: properties.isFullRange)
    }
}

extension AudioFilterFormat {
    /// What caps say of audio in floating point; nil where it is something else.
    init?(_ caps: Caps) {
        guard let fields = caps.first, fields["format"]?.stringValue == "F32LE", let rate = fields["rate"]?.intValue,
            let channels = fields["channels"]?.intValue
        else { return nil }
        let usual: UInt64 = channels == 1 ? 4 : channels == 2 ? 3 : 0
        guard case .bitmask(let mask)? = fields["channel-mask"] else {
            self.init(rate: rate, channels: channels, mask: usual)
            return
        }
        let places = Self.places.filter { mask & 1 << $0.own != 0 }
        // One whose place has no name here would be another's.
        let isKnown = places.count == channels && mask.nonzeroBitCount == channels
        self.init(rate: rate, channels: channels, mask: isKnown ? places.reduce(0) { $0 | 1 << $1.wave } : usual)
    }

    /// The bits of GStreamer's positions, and of WAVE's, of the loudspeakers around.
    private static let places: [(own: UInt64, wave: UInt64)] =
        (0...8).map { ($0, $0) } + [(10, 9), (11, 10)]

    /// The same in GStreamer's words.
    var caps: Caps {
        var fields: [String: FieldValue] = [
            "format": "F32LE", "layout": "interleaved", "rate": .int(Int64(rate)), "channels": .int(Int64(channels)),
        ]
        let own = Self.places.filter { mask & 1 << $0.wave != 0 }
        let isKnown = own.count == channels
        if channels > 1 { fields["channel-mask"] = .bitmask(isKnown ? own.reduce(0) { $0 | 1 << $1.own } : 0) }
        return Caps("audio/x-raw", fields)
    }
}
