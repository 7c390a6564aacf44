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
    /// How its frames lie around the viewer, as Matroska says it.
    let projection: ArraySlice<UInt8>?
    /// How wide a pixel is for its height, as its frames say it.
    private(set) var codedShape: Fraction?
    /// What it is for beside being played.
    let roles: TrackRoles
    let source: CopiedTrack
    /// Where it says how opaque its frames are, by where these lie; nil where nothing does.
    let transparency: [UInt64: FrameTable.Place]?
    private(set) var timing: MatroskaTiming
    /// The samples that are in the file; of audio of several parts those of the first one.
    private(set) var samples: Range<Int>
    /// The other parts of audio.
    private(set) var later: [Part] = []
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

    init(
        _ source: CopiedTrack, _ entry: SampleEntry, _ kind: Kind, number: UInt8, codec: MatroskaCodec,
        stereo: StereoLayout? = nil, projection: ArraySlice<UInt8>? = nil,
        roles: TrackRoles = [], transparency: [UInt64: FrameTable.Place]? = nil,
        movieTimescale: UInt32, _ files: SourceFiles
    ) throws(MovieFileError) {
        self.transparency = transparency
        (self.source, self.entry, self.kind, self.number, self.codec) = (source, entry, kind, number, codec)
        (self.stereo, self.projection, self.roles) = (stereo, projection, roles)
        let parts =
            kind == .audio
            ? try MatroskaTiming.parts(of: source, movieTimescale: movieTimescale)
            : [try MatroskaTiming(source, movieTimescale: movieTimescale)]
        timing = parts[0]
        bytesPerFrame = kind == .audio ? try AudioFields(entry).bytesPerFrame : nil
        samples = 0..<source.table.count
        switch kind {
        case .video:
            // What a broken description says of it is said nowhere.
            codedShape = (try? Self.codedShape(source, entry, files)) ?? nil
            (samples, early, lateCount) = try timing.frames(of: source)
            lead = early > 0 ? max(0, early - timing.start) : 0
        case .audio: try chooseAudio(parts.dropFirst(), files)
        case .subtitle: break
        }
        defaultDuration = constantDuration
    }

    private static func codedShape(
        _ source: CopiedTrack, _ entry: SampleEntry, _ files: SourceFiles
    ) throws(MovieFileError) -> Fraction? {
        guard entry.framesTellShape, let place = source.table.chunks.first?.offset else {
            return try entry.codedShape([])
        }
        let (file, start) = files.file(at: place)
        return try entry.codedShape(try ReadableFile(file).read(upTo: SampleEntry.shapeHead, at: place - start))
    }

    /// The audio that is presented: PCM to the frame, else with what a decoder needs before it, which it throws away.
    ///
    /// - Parameters:
    ///   - rest: what follows its first part.
    ///   - files: where the samples lie.
    private mutating func chooseAudio(
        _ rest: ArraySlice<MatroskaTiming>, _ files: SourceFiles
    ) throws(MovieFileError) {
        if let bytesPerFrame {
            samples = try timing.frames(of: source, size: bytesPerFrame)
            for timing in rest {
                later.append(Part(timing: timing, samples: try timing.frames(of: source, size: bytesPerFrame)))
            }
            return
        }
        samples = try timing.packets(of: source, preroll: codec.preroll, isLast: rest.isEmpty)
        later = try parts(rest, behind: Part(timing: timing, samples: samples), files)
        let start = Int64(clamping: source.table.presentationTime(of: samples.lowerBound).decodeTime)
        let early = timing.nanoseconds(max(0, timing.media.lowerBound - start))
        guard codec.id == CodecIdentifiers.opus.matroskaID else {
            lead = max(0, early - timing.start)
            return
        }
        timing.delay = max(early, codec.delay)
        // Opus has a place of its own for what is thrown away, and decoders believe that.
        if early > codec.delay { codec.setOpusPreSkip(UInt16(clamping: (early * 48 + 500_000) / 1_000_000)) }
        for index in later.indices { later[index].timing.delay = timing.delay }
    }

    /// Lets it be presented later than in the movie, by nanoseconds.
    mutating func shift(by shift: Int64) {
        timing.shift = shift
        for index in later.indices { later[index].timing.shift = shift }
    }

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
        let timing = later.last?.timing ?? timing
        if kind == .video {
            let last = Int64(clamping: table.samples(samples).presentationTimes.upperBound)
            let first = Int64(clamping: table.presentationTime(of: samples.lowerBound).decodeTime)
            return timing.presentation(lateCount > 0 ? first + last : min(timing.media.upperBound, first + last))
        }
        return timing.presentation(min(timing.media.upperBound, Int64(clamping: table.duration)))
    }

}
