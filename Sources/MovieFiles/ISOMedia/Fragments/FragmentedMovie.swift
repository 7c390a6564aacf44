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

    /// - Throws: `invalidBox` where `moov` lacks a box or holds a broken one.
    init(moov: Box) throws(MovieFileError) {
        self.moov = moov
        timescale = try TimeHeader(try moov.required("mvhd")).timescale
        defaults = try FragmentDefaults.byTrack(moov["mvex"])
        tracks = []
        for trak in moov.all("trak") { tracks.append(try FragmentedTrack(trak)) }
    }

    /// Takes in the samples of a fragment; one that is broken changes nothing.
    mutating func add(moof: Box) throws(MovieFileError) {
        for fragment in try TrackFragment.fragments(in: moof, defaults: defaults) {
            guard let index = tracks.firstIndex(where: { $0.trackID == fragment.trackID }) else { continue }
            try tracks[index].add(fragment)
        }
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

    /// Forgets samples that do not lie wholly before `end` in the file.
    mutating func removeSamples(beyond end: UInt64) -> [Int] {
        tracks.indices.map { tracks[$0].removeSamples(beyond: end) }
    }
}
