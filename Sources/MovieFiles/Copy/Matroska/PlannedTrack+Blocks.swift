import MediaTypes

/// The blocks of a track.
extension PlannedTrack {
    /// In milliseconds: at all usual rates that many are whole frames, so no timestamp is rounded.
    private static let audioBlock = 40
    /// Frames: more than at any rate, and an end to what a made-up file can ask for.
    private static let largestAudioBlock = 65_536

    /// Its blocks, in the order in which they are decoded.
    func blocks() -> some Sequence<MatroskaBlock> {
        var frames = 1
        if bytesPerFrame != nil {
            frames = min(Self.largestAudioBlock, max(1, Int(source.timescale) * Self.audioBlock / 1000))
        }
        return ([Part(timing: timing, samples: samples)] + later).lazy.flatMap { part -> AnySequence<MatroskaBlock> in
            var walk = SampleWalk(source.table, longest: frames)
            walk.skip(to: part.samples.lowerBound)
            let blocks = walk.lazy.prefix { $0.index < part.samples.upperBound }.map { block($0, of: part) }
            return AnySequence { () -> AnyIterator<MatroskaBlock> in
                var (first, rest) = (resetBlock(of: part), blocks.makeIterator())
                return AnyIterator {
                    defer { first = nil }
                    return first ?? rest.next()
                }
            }
        }
    }

    /// What a decoder makes of a packet: MP4 tells less of a movie's last one, of which less is presented. At the end that is presented in
    /// movies too.
    private func length(of sample: SampleWalk.Sample) -> UInt64 {
        let isLast = sample.index == (later.last?.samples ?? samples).upperBound - 1
        guard !isLast, Self.even.contains(codec.id), let usual = source.table.durations.runs.first, usual.count > 1
        else {
            return sample.duration
        }
        return max(sample.duration, UInt64(usual.value))
    }

    /// Codecs whose packets all hold as many samples.
    private static let even = Set([CodecIdentifiers.aac, .mp3, .ac3, .eac3, .opus].map(\.matroskaID))

    /// What comes before a part so that its decoder begins anew: all that is thrown away is told with it.
    private func resetBlock(of part: Part) -> MatroskaBlock? {
        guard let reset = part.reset else { return nil }
        let skip = part.skip + OpusReset.sampleCount
        let time = part.timing.media.lowerBound - skip
        return MatroskaBlock(
            source: UInt64(reset.place.lowerBound), size: UInt32(reset.place.count), time: part.timing.timestamp(time),
            order: part.timing.order(time), padding: -Int32(clamping: part.timing.nanoseconds(skip)), track: number,
            flags: [.isMade, .isKey])
    }

    private func block(_ sample: SampleWalk.Sample, of part: Part) -> MatroskaBlock {
        var size = sample.size - min(sample.size, UInt64(codec.strippedBytes))
        if let bytesPerFrame {
            size = UInt64(min(sample.count, part.samples.upperBound - sample.index) * bytesPerFrame)
        }
        let timing = part.timing
        var block = MatroskaBlock(
            source: sample.offset + UInt64(codec.strippedBytes), size: UInt32(clamping: size),
            time: timing.timestamp(sample.presentationTime),
            order: timing.order(min(sample.presentationTime, Int64(clamping: sample.decodeTime))), track: number)
        if sample.isSync || kind == .audio { block.flags.insert(.isKey) }
        if let place = transparency?[block.source] { block.transparencySize = place.size }
        guard kind == .audio, bytesPerFrame == nil else { return block }
        if sample.index == part.samples.upperBound - 1 {
            let beyond = Int64(clamping: sample.decodeTime + length(of: sample)) - timing.media.upperBound
            block.padding = Int32(clamping: timing.nanoseconds(max(0, beyond)))
        } else if sample.index == part.samples.lowerBound, part.skip > 0, part.reset == nil {
            block.padding = -Int32(clamping: timing.nanoseconds(part.skip))
        }
        return block
    }
}
