import MediaTypes

/// Audio of several parts, as of movies that are joined, where no edit can hide anything.
extension PlannedTrack {
    /// What is presented of a track without a pause, and what is decoded for it.
    struct Part: Sendable {
        var timing: MatroskaTiming
        var samples: Range<Int>
        /// What of its beginning a decoder throws away, in ticks.
        var skip: Int64 = 0
        /// What comes before it, so that the decoder begins anew; counts to what is thrown away.
        var reset: OpusReset?
    }

    /// The parts behind the first one. They begin with what primes their decoder: a block says how much is thrown away.
    ///
    /// - Parameters:
    ///   - first: the part before them.
    ///   - files: where the samples lie.
    func parts(
        _ timings: ArraySlice<MatroskaTiming>, behind first: Part, _ files: SourceFiles
    ) throws(MovieFileError) -> [Part] {
        var (parts, before) = ([Part](), first)
        for (index, timing) in timings.enumerated() {
            let goesOn = timing.media.lowerBound >= before.timing.media.upperBound
            let begin = goesOn ? beginning(of: timing, behind: before, files) : (index: 0, offset: UInt64?.none)
            let samples = try timing.packets(
                of: source, preroll: codec.preroll, from: begin.index, isLast: index == timings.count - 1)
            var part = Part(timing: timing, samples: samples)
            let start = Int64(clamping: source.table.presentationTime(of: samples.lowerBound).decodeTime)
            part.skip = max(0, timing.media.lowerBound - start)
            guard samples.count > 1 || part.skip == 0 else {
                throw .unsupported(reason: "a part of its audio, track \(source.trackID), is shorter than two packets")
            }
            if canReset, let offset = begin.offset, samples.lowerBound == begin.index {
                part.reset = try files.byte(at: offset).map { OpusReset(before: $0) }
            }
            parts.append(part)
            before = part
        }
        return parts
    }

    /// What is told of seams at which its decoder goes on with what it keeps of the part before; nil where there are none.
    var seamOmission: String? {
        guard codec.id == CodecIdentifiers.opus.matroskaID, !canReset, !later.isEmpty else { return nil }
        return
            "An Opus decoder of more than two channels goes on with what it keeps of the movie before: the first 0.05 s of each further "
            + "movie may be too loud or too quiet."
    }

    /// Whether its packets are Opus of one stream; those of more channels have several in each.
    private var canReset: Bool {
        codec.id == CodecIdentifiers.opus.matroskaID
            && codec.configuration.map { $0.count > 18 && $0[18] == 0 } ?? false
    }

    /// The first packet behind a part that lies in the same file as what is presented next, and where it lies, if the part does not.
    private func beginning(
        of timing: MatroskaTiming, behind part: Part, _ files: SourceFiles
    ) -> (index: Int, offset: UInt64?) {
        let end = part.samples.upperBound
        var walk = SampleWalk(source.table)
        walk.skip(to: end - 1)
        var found: (index: Int, offset: UInt64, file: UInt64)?
        let last = walk.next().map { files.file(at: $0.offset).1 }
        while let sample = walk.next(), Int64(clamping: sample.decodeTime) <= timing.media.lowerBound {
            let file = files.file(at: sample.offset).1
            if found?.file != file { found = (sample.index, sample.offset, file) }
        }
        guard let found else { return (end, nil) }
        return (found.index, found.file == last ? nil : found.offset)
    }
}

extension SourceFiles {
    /// - Parameter offset: in the row of all files.
    fileprivate func byte(at offset: UInt64) throws(MovieFileError) -> UInt8? {
        let (file, start) = file(at: offset)
        return try ReadableFile(file).read(upTo: 1, at: offset - start).first
    }
}
