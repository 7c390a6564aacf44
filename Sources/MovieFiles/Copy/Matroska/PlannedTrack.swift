import MediaTypes

/// A track as it will be in a Matroska file: what its entry says, and which samples become its blocks.
struct PlannedTrack: Sendable {
    typealias Kind = TrackEntry.Kind

    let kind: Kind
    /// From 1.
    let number: UInt8
    private(set) var codec: MatroskaCodec
    let entry: SampleEntry
    /// How the images of both eyes lie in its frames.
    let stereo: StereoLayout?
    let source: CopiedTrack
    private(set) var timing: MatroskaTiming
    /// The samples that are in the file.
    private(set) var samples: Range<Int>
    /// The bytes of a frame of PCM audio; nil for anything else.
    let bytesPerFrame: Int?
    /// How long each sample lasts, in nanoseconds; nil where they differ, and for PCM.
    private(set) var defaultDuration: Int64?

    /// How long before the movie its audio begins, with what only primes the decoder, or its frames, with those that edits hide
    /// and others need; in nanoseconds. Few players know a
    /// delay of other codecs than Opus, so all tracks have to begin that much later, as those of ffmpeg and mkvmerge do.
    private(set) var lead: Int64 = 0

    /// How long before the first frame that the movie shows those begin that its edits hide, in nanoseconds.
    private(set) var early: Int64 = 0
    /// How many frames the movie's edits hide behind the last one that it shows, and that others need.
    private(set) var lateCount = 0

    /// In milliseconds: at all usual rates that many are whole frames, so no timestamp is rounded.
    private static let audioBlock = 40
    /// Frames: more than at any rate, and an end to what a made-up file can ask for.
    private static let largestAudioBlock = 65_536

    init(
        _ source: CopiedTrack, _ entry: SampleEntry, _ kind: Kind, number: UInt8, codec: MatroskaCodec,
        stereo: StereoLayout? = nil, movieTimescale: UInt32
    ) throws(MovieFileError) {
        (self.source, self.entry, self.kind, self.number, self.codec) = (source, entry, kind, number, codec)
        self.stereo = stereo
        timing = try MatroskaTiming(source, movieTimescale: movieTimescale)
        bytesPerFrame = kind == .audio ? try AudioFields(entry).bytesPerFrame : nil
        samples = 0..<source.table.count
        switch kind {
        case .video:
            (samples, early, lateCount) = try timing.frames(of: source)
            lead = early > 0 ? max(0, early - timing.start) : 0
        case .audio: try chooseAudio()
        case .subtitle: break
        }
        defaultDuration = constantDuration
    }

    /// The audio that is presented: PCM to the frame, else with what a decoder needs before it, which it throws away.
    private mutating func chooseAudio() throws(MovieFileError) {
        if let bytesPerFrame {
            samples = try timing.frames(of: source, size: bytesPerFrame)
            return
        }
        samples = try timing.packets(of: source, preroll: codec.preroll)
        let start = Int64(clamping: source.table.presentationTime(of: samples.lowerBound).decodeTime)
        let early = timing.nanoseconds(max(0, timing.media.lowerBound - start))
        guard codec.id == CodecIdentifiers.opus.matroskaID else {
            lead = max(0, early - timing.start)
            return
        }
        timing.delay = max(early, codec.delay)
        // Opus has a place of its own for what is thrown away, and decoders believe that.
        if early > codec.delay { codec.setOpusPreSkip(UInt16(clamping: (early * 48 + 500_000) / 1_000_000)) }
    }

    /// Lets it be presented later than in the movie, by nanoseconds.
    mutating func shift(by shift: Int64) { timing.shift = shift }

    /// Whether all samples last as long as the first one; the last one may last longer.
    private var constantDuration: Int64? {
        guard kind != .subtitle, bytesPerFrame == nil else { return nil }
        let runs = source.table.durations[samples].runs
        guard let first = runs.first, first.value > 0, samples.count > 1,
            runs.count == 1 || runs.count == 2 && runs[1].count == 1
        else { return nil }
        return timing.nanoseconds(Int64(first.value))
    }

    /// When the last of it has been presented, in nanoseconds of the movie.
    var end: Int64 {
        let table = source.table
        if kind == .video {
            let last = Int64(clamping: table.samples(samples).presentationTimes.upperBound)
            let first = Int64(clamping: table.presentationTime(of: samples.lowerBound).decodeTime)
            return timing.presentation(lateCount > 0 ? first + last : min(timing.media.upperBound, first + last))
        }
        return timing.presentation(min(timing.media.upperBound, Int64(clamping: table.duration)))
    }

    /// Its blocks, in the order in which they are decoded.
    func blocks() -> some Sequence<MatroskaBlock> {
        var frames = 1
        if bytesPerFrame != nil {
            frames = min(Self.largestAudioBlock, max(1, Int(source.timescale) * Self.audioBlock / 1000))
        }
        var walk = SampleWalk(source.table, longest: frames)
        walk.skip(to: samples.lowerBound)
        return walk.lazy.prefix { $0.index < samples.upperBound }.map(block)
    }

    private func block(_ sample: SampleWalk.Sample) -> MatroskaBlock {
        var size = sample.size - min(sample.size, UInt64(codec.strippedBytes))
        if let bytesPerFrame {
            size = UInt64(min(sample.count, samples.upperBound - sample.index) * bytesPerFrame)
        }
        var block = MatroskaBlock(
            source: sample.offset + UInt64(codec.strippedBytes), size: UInt32(clamping: size),
            time: timing.timestamp(sample.presentationTime),
            order: timing.order(min(sample.presentationTime, Int64(clamping: sample.decodeTime))), track: number)
        if sample.isSync || kind == .audio { block.flags.insert(.isKey) }
        if kind == .audio, bytesPerFrame == nil, sample.index == samples.upperBound - 1 {
            let beyond = Int64(clamping: sample.decodeTime + sample.duration) - timing.media.upperBound
            block.padding = UInt32(clamping: timing.nanoseconds(max(0, beyond)))
        }
        return block
    }
}
