/// One track of a movie in fragments: what its `trak` says, and the samples gathered so far.
struct FragmentedTrack: Sendable {
    let trackID: UInt32
    let handler: FourCC
    let timescale: UInt32
    private(set) var entries: [SampleEntry]
    /// The bytes of one frame of PCM audio; nil for everything else.
    let bytesPerFrame: Int?
    private(set) var samples = SampleTable()
    /// The decoding time of the first sample as its fragment gives it, in the track's timescale.
    private(set) var firstDecodeTime: UInt64?
    /// Added to the decoding times of fragments, in the track's timescale: those of a recording that follows begin again.
    private var shift: UInt64 = 0

    /// In ticks: far more than any movie lasts, and far from the end of 64 bits, which one run cannot reach from here.
    private static let maximumDuration: UInt64 = 1 << 61

    init(_ trak: Box) throws(MovieFileError) {
        trackID = try TrackHeader(try trak.required("tkhd")).trackID
        let mdia = try trak.required("mdia")
        timescale = try TimeHeader(try mdia.required("mdhd")).timescale
        handler = try mdia.required("hdlr").handlerType()
        let table = try mdia.required("minf").required("stbl")
        entries = try SampleEntry.entries(of: try table.required("stsd"), handler: handler)
        bytesPerFrame = handler == "soun" ? try entries.first.map(AudioFields.init)?.bytesPerFrame : nil
        samples = try SampleTable(table, bytesPerFrame: bytesPerFrame)
        if samples.count > 0 { firstDecodeTime = 0 }
    }

    mutating func add(_ fragment: TrackFragment) throws(MovieFileError) {
        if let time = fragment.baseDecodeTime.flatMap({ shifted($0) }) {
            if let start = firstDecodeTime {
                // A gap, or the rounding of the muxer: the sample before lasts until this one. A step backwards
                // cannot be expressed, and what follows is then late by it.
                if time > start { _ = samples.stretch(to: time - start) }
            } else {
                firstDecodeTime = time
            }
        }
        for run in fragment.runs {
            let expanded = run.samples.map { expandedToFrames($0) }
            let added = expanded.reduce(0) { $0 + $1.count }
            let limit = arePlainFrames(expanded) ? Int(UInt32.max) : SampleTable.maximumSampleCount
            guard samples.count + added <= limit else {
                throw .unsupported(reason: "track \(trackID) has more than \(limit) samples")
            }
            let lasting = expanded.reduce(samples.duration) { $0 + UInt64($1.duration) * UInt64($1.count) }
            guard lasting < Self.maximumDuration else {
                throw .unsupported(reason: "track \(trackID) lasts longer than any movie can")
            }
            // A number that no description has is no reason to lose the samples.
            let isKnown = entries.indices.contains(Int(fragment.description) - 1)
            samples.append(expanded, at: run.offset, description: isKnown ? fragment.description : 1)
        }
    }

    /// When its samples begin and end so far, in seconds of the movie; nil without any.
    var span: (begin: Double, end: Double)? {
        guard samples.count > 0 else { return nil }
        let begin = seconds(firstDecodeTime ?? 0)
        return (begin, begin + seconds(samples.duration))
    }

    /// What is added to the times of fragments, in seconds.
    var shiftSeconds: Double { seconds(shift) }

    /// Lets fragments whose own times begin again at `begin` follow at `end` of the movie; both in seconds.
    mutating func beginAgain(at end: Double, from begin: Double) {
        let seam = ticks(end)
        if samples.count > 0 { stretch(to: seam - min(seam, firstDecodeTime ?? 0)) }
        shift = seam - min(seam, ticks(begin))
    }

    private func seconds(_ ticks: UInt64) -> Double { Double(ticks) / Double(timescale) }

    private func ticks(_ seconds: Double) -> UInt64 {
        UInt64(exactly: (seconds * Double(timescale)).rounded()) ?? 0
    }

    /// nil for a time that no 64 bits hold.
    private func shifted(_ time: UInt64) -> UInt64? {
        let (sum, overflow) = time.addingReportingOverflow(shift)
        return overflow ? nil : sum
    }

    /// Lets the decoding times reach to the end of what is shown.
    ///
    /// A reordered frame that is shown long after the others is decoded with them, and players end where the decoding
    /// times do, before it.
    mutating func decodeAsLongAsShown() {
        let shown = samples.shownTimes
        // What comes before the first frame is shown, for the sake of reordering, is no time of the movie.
        stretch(to: UInt64(shown.count))
    }

    /// Lets the frames last as long as they do on average without the first and the last one, of which only a part is shown: the last one
    /// gets what both lack, behind the end of the edit list, where nobody sees it.
    ///
    /// ffmpeg divides the number of frames by their lengths, and MLT and the editors that are made with it place frames by what comes of that.
    mutating func keepMeanRate() { samples.durationAtMeanRate.map { stretch(to: $0) } }

    /// Makes the last sample longer, so that the track lasts so many ticks; not where no tick counts that far.
    mutating func stretch(to duration: UInt64) { if duration > samples.duration { _ = samples.stretch(to: duration) } }

    /// Lets a last sample that lasts no time last as long as the one before.
    mutating func showLastSample() {
        guard samples.durations.last == 0, let usual = samples.durations.runs.dropLast().last?.value else { return }
        _ = samples.stretch(to: samples.duration + UInt64(usual))
    }

    /// Whether it holds no media, but what numbers the first frame has.
    var isTimeCode: Bool { handler == "tmcd" }

    /// How its samples are coded, to be compared with another recording's.
    var description: [[UInt8]] {
        entries.map { entry in
            var entry = entry
            // The rate of the bits is known of what is recorded already, and of nothing else.
            entry.extensions.removeAll { $0.type == "btrt" }
            return (try? entry.serialized()) ?? []
        }
    }

    /// PCM audio as an index wants it, a sample for each frame: fragments may have one for each of the muxer's buffers.
    private func expandedToFrames(_ sample: FragmentSample) -> FragmentSample {
        guard let bytesPerFrame, sample.count == 1, sample.duration > 1,
            UInt64(sample.size) == UInt64(sample.duration) * UInt64(bytesPerFrame)
        else { return sample }
        var frames = sample
        frames.duration = 1
        frames.size = UInt32(bytesPerFrame)
        frames.count = Int(sample.duration)
        return frames
    }

    /// Whether these samples, added to the others, cost no memory: PCM frames of equal size.
    private func arePlainFrames(_ added: [FragmentSample]) -> Bool {
        guard let size = bytesPerFrame.map({ UInt32(clamping: $0) }) else { return false }
        return (samples.count == 0 || samples.sizes.constant == size) && samples.syncSamples.areAll
            && added.allSatisfy { $0.size == size && $0.isSync }
    }

    mutating func editSampleEntries(
        _ change: (inout SampleEntry) throws(MovieFileError) -> Void
    ) throws(MovieFileError) {
        for index in entries.indices { try change(&entries[index]) }
    }

    /// - Parameter seconds: above 0.
    mutating func end(at seconds: Double) { samples.end(at: max(1, ticks(seconds))) }

    var duration: Double { seconds(samples.duration) }

    mutating func removeSamples(beyond end: UInt64) -> Int {
        samples.removeSamples(beyond: end)
    }
}

extension Box {
    /// The kind of media of an `hdlr` box (ISO/IEC 14496-12 section 8.4.3).
    func handlerType() throws(MovieFileError) -> FourCC {
        var reader = ByteReader(self)
        try reader.skip(8)
        return try reader.readFourCC()
    }
}
