import MediaTypes

/// A movie in fragments as it comes in: its first `moov`, then the samples of one `moof` after the other.
///
/// Pure: the recorder's writer and the recovery of a dead recording both fill it, and make the same index from it.
struct FragmentedMovie: Sendable {
    /// The first `moov`, with what was patched into it.
    private(set) var moov: Box
    /// Ticks in a second of the movie's own times.
    let timescale: UInt32
    private(set) var tracks: [FragmentedTrack]
    private let defaults: [UInt32: FragmentDefaults]
    /// When the recording began that is gone through, by the times of its own fragments, in seconds.
    private var begin: Double?
    /// Whether a head has been passed behind which no fragment has told yet whether its times begin again.
    private var isBehindHead = false

    /// - Throws: `invalidBox` where `moov` lacks a box or holds a broken one.
    init(moov: Box) throws(MovieFileError) {
        self.moov = moov
        timescale = try TimeHeader(try moov.required("mvhd")).timescale
        defaults = try FragmentDefaults.byTrack(moov["mvex"])
        tracks = []
        for trak in moov.all("trak") { tracks.append(try FragmentedTrack(trak)) }
    }

    /// Takes in the samples of a fragment; one that is broken changes nothing.
    ///
    /// - Parameter limit: where its data end at the latest, in the file; nil where nobody knows.
    mutating func add(moof: Box, before limit: UInt64? = nil) throws(MovieFileError) {
        let fragments = try TrackFragment.fragments(in: moof, defaults: defaults)
        if let limit, fragments.contains(where: { $0.runs.contains { $0.dataEnd > limit } }) {
            throw .invalidBox("moof", offset: moof.fileOffset, reason: "its samples reach into the next fragment")
        }
        if isBehindHead { followHead(fragments) }
        for fragment in fragments {
            guard let index = tracks.firstIndex(where: { $0.trackID == fragment.trackID }) else { continue }
            try tracks[index].add(fragment)
        }
    }

    /// When the longest track ends, from its first sample on.
    var end: MediaTime {
        tracks.map { MediaTime(ticks: $0.samples.duration, timescale: $0.timescale) }.max() ?? .zero
    }

    /// Whether the samples of another movie are described as these are, so that they can follow.
    func isDescribed(like other: FragmentedMovie) -> Bool {
        tracks.count == other.tracks.count
            && zip(tracks, other.tracks).allSatisfy { own, other in
                own.trackID == other.trackID && own.handler == other.handler && own.timescale == other.timescale
                    && other.samples.count == 0 && own.description == other.description
            }
    }

    /// A head like the first one has been passed: the fragments that follow may be another recording's.
    mutating func passHead() { isBehindHead = true }

    /// Lets the times that follow a head begin where the longest track ends, if they begin again, as another recording's do.
    /// Where they go on, as in a movie that is sent in segments with a head each, they are left as they are.
    ///
    /// It is one decision for all tracks, which hardly ever end at the same time: one that was moved alone would be out of sync.
    private mutating func followHead(_ fragments: [TrackFragment]) {
        let known = fragments.compactMap { fragment in
            tracks.first { $0.trackID == fragment.trackID }.map { (track: $0, time: fragment.baseDecodeTime) }
        }
        guard !known.isEmpty else { return }
        isBehindHead = false
        let spans = tracks.compactMap(\.span)
        let begin = begin ?? spans.map(\.begin).min() ?? 0
        let times = known.compactMap { known in
            known.time.map { (time: Double($0) / Double(known.track.timescale), track: known.track) }
        }
        // By the track that has lasted longest: one of few samples, as of subtitles, may have ended long ago.
        let told = times.compactMap { told in
            told.track.span.map { (time: told.time, end: $0.end - told.track.shiftSeconds) }
        }.max { $0.end < $1.end }
        guard let told, let end = spans.map(\.end).max(), told.time - begin < told.end - told.time else { return }
        let next = times.reduce(begin) { min($0, $1.time) }
        for index in tracks.indices { tracks[index].beginAgain(at: end, from: next) }
        self.begin = next
    }

    /// Lets the last frames last until a time, where those that would have ended them are in another movie, or lost.
    ///
    /// - Parameter startTimes: when each track's first sample is presented, by track ID; zero where there is none.
    mutating func holdLastFrames(until end: MediaTime, startTimes: [UInt32: MediaTime]) {
        for index in tracks.indices where tracks[index].handler == "vide" && tracks[index].samples.count > 0 {
            let scale = Double(tracks[index].timescale)
            let start = startTimes[tracks[index].trackID] ?? .zero
            let begin = start.seconds + Double(tracks[index].firstDecodeTime ?? 0) / scale
            // The last one in the order of decoding need not be that in which it is presented.
            let offsets = tracks[index].samples.compositionOffsets
            let later = Int(offsets[0]) - Int(offsets[tracks[index].samples.count - 1])
            let ticks = ((end.seconds - begin) * scale).rounded() + Double(later)
            if let ticks = UInt64(exactly: max(0, ticks)) { tracks[index].stretch(to: ticks) }
        }
    }

    /// Gives a last frame that came without a duration, as `jpegparse` hands them on, that of the frame before: no player shows one
    /// that lasts no time.
    mutating func showLastFrames() {
        for index in tracks.indices where tracks[index].handler == "vide" { tracks[index].showLastSample() }
    }

    /// Changes how a track's samples are described.
    mutating func editSampleEntries(
        ofTrack trackID: UInt32, _ change: (inout SampleEntry) throws(MovieFileError) -> Void
    ) throws(MovieFileError) {
        guard let index = tracks.firstIndex(where: { $0.trackID == trackID }) else { return }
        try tracks[index].editSampleEntries(change)
        let entries = tracks[index].entries
        try moov.editAll("trak") { (trak: inout Box) throws(MovieFileError) in
            guard try TrackHeader(try trak.required("tkhd")).trackID == trackID else { return }
            try trak.edit(["mdia", "minf", "stbl", "stsd"]) { (stsd: inout Box) throws(MovieFileError) in
                stsd.payload = try SampleEntry.descriptionBox(entries).payload
            }
        }
    }

    /// Ends texts and time codes where video and audio do, if these are there.
    mutating func endWithMedia() {
        let isMedia: [FourCC] = ["vide", "soun"]
        let end = tracks.filter { isMedia.contains($0.handler) }.map(\.duration).max() ?? 0
        guard end > 0 else { return }
        for index in tracks.indices where !isMedia.contains(tracks[index].handler) && tracks[index].duration > end {
            tracks[index].end(at: end)
        }
    }

    /// Forgets samples that do not lie wholly before `end` in the file.
    mutating func removeSamples(beyond end: UInt64) -> [Int] {
        tracks.indices.map { tracks[$0].removeSamples(beyond: end) }
    }
}
