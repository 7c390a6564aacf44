/// What of a track's packets of audio is presented, where blocks say what of them is not (`DiscardPadding`, RFC 9559 section 5.1.3.5.7): at the
/// end, and at the seams of movies that were joined.
struct PresentedAudio: Sendable {
    /// In samples of all packets behind each other.
    private(set) var parts: [Range<UInt64>] = []
    /// How many samples at the very end are not presented.
    private(set) var tail: UInt64 = 0
    /// Whether something between the first packet and the last one is not presented.
    private(set) var hasSeams = false
    /// By packets: how many of its samples are not presented.
    private var hidden: [Int: UInt64] = [:]
    /// Packets whose first samples are not presented.
    private var begun: Set<Int> = []

    /// - Parameter priming: How many samples at the very beginning are not presented.
    init(_ frames: FrameTable, priming: UInt64, sampleRate: UInt32) {
        func samples(_ nanoseconds: Int64) -> UInt64 {
            UInt64((min(Double(nanoseconds.magnitude), 1e12) * Double(sampleRate) / 1e9).rounded())
        }
        var (position, begin, left, index) = (UInt64(0), priming, UInt64(0), 0)
        for length in frames.audioLengths.runs.lazy.flatMap({ repeatElement(UInt64($0.value), count: $0.count) }) {
            let (end, discard) = (position + length, frames.discards[index] ?? 0)
            if discard < 0 {
                if position > begin { parts.append(begin..<position) }
                left = samples(discard)
                begin = max(begin, position + left)
            }
            if left > 0 {
                begun.insert(index)
                hidden[index] = min(left, length)
                left -= min(left, length)
            } else if discard > 0 {
                let cut = min(samples(discard), length)
                hidden[index] = cut
                if end - cut > begin { parts.append(begin..<end - cut) }
                begin = max(begin, end)
                if index == frames.count - 1 { tail = cut }
            }
            (position, index) = (end, index + 1)
        }
        if position > begin { parts.append(begin..<position) }
        hasSeams = hidden.keys.contains { $0 != frames.count - 1 }
    }

    /// How long packets last, and when the first one begins.
    ///
    /// - Parameter scale: Nanoseconds in a tick of the segment.
    /// - Throws: as ``AudioTimes``; `unsupported` where the audio pauses beside what is not presented.
    func times(_ frames: FrameTable, sampleRate: UInt32, scale: UInt64) throws(MovieFileError) -> AudioTimes {
        let times = frames.times.lazy.map { $0 == FrameTable.unknown ? nil : $0 * Int64(scale) }
        guard hasSeams else {
            return try AudioTimes(times, lengths: frames.audioLengths, sampleRate: sampleRate, resolution: scale)
        }
        // Times go on by what is presented, and one that begins with what is not has none that counts.
        var (presented, index) = (RunLengthArray<UInt32>(), 0)
        for run in frames.audioLengths.runs {
            for _ in 0..<run.count {
                presented.append(run.value - UInt32(clamping: hidden[index] ?? 0))
                index += 1
            }
        }
        let told = times.enumerated().lazy.map { begun.contains($0) ? nil : $1 }
        let counted = try AudioTimes(told, lengths: presented, sampleRate: sampleRate, resolution: scale)
        guard counted.durations.runs == presented.runs, !parts.isEmpty else {
            throw .unsupported(reason: "its audio pauses where packets are not presented as a whole")
        }
        return AudioTimes(durations: frames.audioLengths, start: counted.start)
    }
}
