/// One `traf`: samples of one track in a movie fragment (ISO/IEC 14496-12 section 8.8.6).
struct TrackFragment: Sendable {
    /// Samples that lie one behind the other, from `offset` in the file on: one `trun`.
    struct Run: Sendable {
        var offset: UInt64
        var samples: [FragmentSample]
    }

    var trackID: UInt32
    /// The decoding time of the first sample (`tfdt`), in the track's timescale; nil where the fragment has none.
    var baseDecodeTime: UInt64?
    var runs: [Run]
}

/// What `trex` says of samples whose fragment does not say more (ISO/IEC 14496-12 section 8.8.3).
struct FragmentDefaults: Sendable {
    var duration: UInt32 = 0
    var size: UInt32 = 0
    var flags: UInt32 = 0
}

extension FragmentDefaults {
    /// The defaults of each track, from an `mvex` box.
    static func byTrack(_ mvex: Box?) throws(MovieFileError) -> [UInt32: FragmentDefaults] {
        var defaults: [UInt32: FragmentDefaults] = [:]
        for trex in mvex?.all("trex") ?? [] {
            var reader = ByteReader(trex)
            try reader.skip(4)
            let trackID: UInt32 = try reader.read()
            try reader.skip(4)
            defaults[trackID] = FragmentDefaults(
                duration: try reader.read(), size: try reader.read(), flags: try reader.read())
        }
        return defaults
    }
}
