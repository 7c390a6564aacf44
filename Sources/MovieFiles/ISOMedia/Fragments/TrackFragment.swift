/// One `traf`: samples of one track in a movie fragment (ISO/IEC 14496-12 section 8.8.6).
struct TrackFragment: Sendable {
    /// Samples that lie one behind the other, from `offset` in the file on: one `trun`.
    struct Run: Sendable {
        var offset: UInt64
        var samples: [FragmentSample]
        /// Where its data end in the file.
        var dataEnd: UInt64 { samples.reduce(offset) { $0 + UInt64($1.size) * UInt64($1.count) } }
    }

    var trackID: UInt32
    /// The decoding time of the first sample (`tfdt`), in the track's timescale; nil where the fragment has none.
    var baseDecodeTime: UInt64?
    /// Which of the track's sample descriptions its samples have, from 1.
    var description: UInt32
    var runs: [Run]
}

/// What `trex` says of samples whose fragment does not say more (ISO/IEC 14496-12 section 8.8.3).
struct FragmentDefaults: Sendable {
    var duration: UInt32 = 0
    var size: UInt32 = 0
    var flags: UInt32 = 0
    /// Which of the track's sample descriptions, from 1.
    var description: UInt32 = 1
}

extension FragmentDefaults {
    /// The defaults of each track, from an `mvex` box.
    static func byTrack(_ mvex: Box?) throws(MovieFileError) -> [UInt32: FragmentDefaults] {
        var defaults: [UInt32: FragmentDefaults] = [:]
        for trex in mvex?.all("trex") ?? [] {
            var reader = ByteReader(trex)
            try reader.skip(4)
            let trackID: UInt32 = try reader.read()
            let description: UInt32 = try reader.read()
            defaults[trackID] = FragmentDefaults(
                duration: try reader.read(), size: try reader.read(), flags: try reader.read(),
                description: description)
        }
        return defaults
    }
}

extension TrackFragment {
    /// Reads every `traf` of a `moof`, whose own offset in the file most data offsets count from.
    static func fragments(
        in moof: Box, defaults: [UInt32: FragmentDefaults]
    ) throws(MovieFileError) -> [TrackFragment] {
        var fragments: [TrackFragment] = []
        // Without a base of its own, a track's data follows that of the track before (section 8.8.7).
        var base = moof.fileOffset
        for traf in moof.all("traf") {
            fragments.append(try TrackFragment(traf, moofOffset: moof.fileOffset, base: &base, defaults: defaults))
        }
        return fragments
    }

    private init(
        _ traf: Box, moofOffset: UInt64, base: inout UInt64, defaults: [UInt32: FragmentDefaults]
    ) throws(MovieFileError) {
        var reader = ByteReader(try traf.required("tfhd"))
        let flags = TrackFragmentFlags(rawValue: try reader.readVersionAndFlags().flags)
        trackID = try reader.read()
        if flags.contains(.defaultBaseIsMoof) { base = moofOffset }
        if flags.contains(.baseDataOffset) { base = try reader.read() }
        var defaults = defaults[trackID] ?? FragmentDefaults()
        if flags.contains(.sampleDescriptionIndex) { defaults.description = try reader.read() }
        if flags.contains(.defaultDuration) { defaults.duration = try reader.read() }
        if flags.contains(.defaultSize) { defaults.size = try reader.read() }
        if flags.contains(.defaultFlags) { defaults.flags = try reader.read() }
        description = defaults.description

        if let tfdt = traf["tfdt"] {
            var reader = ByteReader(tfdt)
            let version = try reader.readVersionAndFlags().version
            baseDecodeTime = try reader.readTime(version: version)
        }
        runs = []
        var position = base
        for trun in traf.all("trun") {
            let run = try Run(trun, base: base, position: position, defaults: defaults)
            position = try run.end(trun)
            runs.append(run)
        }
        base = position
    }
}

/// The flags of `tfhd` (ISO/IEC 14496-12 section 8.8.7).
private struct TrackFragmentFlags: OptionSet {
    var rawValue: UInt32
    static let baseDataOffset = Self(rawValue: 0x1)
    static let sampleDescriptionIndex = Self(rawValue: 0x2)
    static let defaultDuration = Self(rawValue: 0x8)
    static let defaultSize = Self(rawValue: 0x10)
    static let defaultFlags = Self(rawValue: 0x20)
    static let defaultBaseIsMoof = Self(rawValue: 0x2_0000)
}
